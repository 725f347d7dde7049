import { expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { personAt } from "./support/person.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { talkTo } from "./support/talk.ts";

let { treadle, browser } = {} as Stage;
/** A page that was looked at. */
let project = "";

setStage({}, async (stage) => {
  ({ treadle, browser } = stage);
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  const { api, read } = talkTo(
    () => treadle,
    () => project,
  );
  const text = '<!doctype html><html lang="en"><title>Words</title><h1>Words</h1>';
  const headers = { "if-none-match": "*" };
  await api("/files/index.html", { method: "PUT", headers, body: JSON.stringify({ text }) });
  await api("/check", { method: "POST" });
  await read(0, ({ type }) => type === "look-end");
});

const SPOKEN = [
  {
    locale: "zh-CN",
    tag: "zh-CN",
    heading: "想做点什么？",
    recorded: "还没有模型：观看录制的构建",
    conversation: "对话",
    runs: "可运行",
    preview: "预览",
  },
  {
    locale: "ja-JP",
    tag: "ja",
    heading: "何を作りましょうか？",
    recorded: "モデルがまだありません：録画されたビルドを見る",
    conversation: "会話",
    runs: "動作します",
    preview: "プレビュー",
  },
  {
    locale: "pt-PT",
    tag: "pt-BR",
    heading: "O que vamos criar?",
    recorded: "Ainda sem modelo: assista a uma criação gravada",
    conversation: "Conversa",
    runs: "Funciona",
    preview: "Prévia",
  },
];

for (const { locale, tag, heading, recorded, conversation, runs, preview } of SPOKEN) {
  it(`uses the browser's own language: ${locale}`, async () => {
    const context = await browser.newContext({ locale, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const catalogues: string[] = [];
    page.on("request", (request) => {
      if (/(first-load|later)-/.test(request.url())) catalogues.push(request.url());
    });
    await personAt(page, treadle).open(heading);
    expect(await page.locator("html").getAttribute("lang")).toBe(tag);
    // Only one language is loaded, and only once.
    expect(catalogues.filter((url) => url.includes("first-load"))).toHaveLength(1);
    await picture(page, `first-${tag}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("heading", { name: heading }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await picture(page, `first-${tag}-390`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("region", { name: recorded }).waitFor();
    await page.goto(`${treadle.origin}/p/${project}`);
    await page.getByRole("region", { name: conversation, exact: true }).waitFor();
    await page.locator("header [data-verdict=runs]").getByText(runs).waitFor();
    await page.getByRole("tab", { name: preview, exact: true }).waitFor();
    await picture(page, `project-${tag}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: preview, exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await picture(page, `project-${tag}-390`);
    expect(catalogues.filter((url) => url.includes("later"))).toHaveLength(1);
    // However short it is, and whatever is beside it: the settings' name is one line.
    await page.keyboard.press("Control+,");
    const title = page.getByRole("dialog").getByRole("heading").first();
    await title.waitFor();
    expect((await title.boundingBox())!.height).toBeLessThan(30);
    await context.close();
  });
}

it("keeps the language selected in the settings over a reload", async () => {
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  await personAt(page, treadle).open();
  const field = page.getByRole("textbox", { name: "What shall we build?" });
  await field.fill("Uma lista");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "Language" }).selectOption("pt");
  // The settings stay open, in the selected language.
  await page.getByRole("dialog", { name: "Configurações" }).waitFor();
  await page.keyboard.press("Escape");
  const own = page.getByRole("textbox", { name: "O que vamos criar?" });
  await own.waitFor();
  // The typed text is kept.
  expect(await own.inputValue()).toBe("Uma lista");
  await page.reload();
  await own.waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("pt-BR");
  await context.close();
});
