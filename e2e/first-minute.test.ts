import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

let { model, treadle, browser, page } = {} as Stage;

const script = { scripted: scriptNamed("mentions") };
setStage({ script, key: "good-key", env: () => ({}) }, (stage) => {
  ({ model, treadle, browser, page } = stage);
});

describe("the first minute", () => {
  it("begins with a page that explains how to sign in, and accepts the token", async () => {
    const other = await browser.newContext({ viewport: wide });
    const stranger = await other.newPage();
    await stranger.goto(`${treadle.origin}/p/some-project`);
    await stranger.getByRole("heading", { name: "Not signed in" }).waitFor();
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const)
      for (const colorScheme of ["light", "dark"] as const) {
        await stranger.setViewportSize({ width, height });
        await stranger.emulateMedia({ colorScheme });
        await picture(stranger, `signed-out-${width}-${colorScheme}`);
      }
    const token = stranger.getByLabel(/^Or paste its token/);
    await token.fill("wrong");
    await token.press("Enter");
    await stranger.getByText("That token is not this server’s.").waitFor();
    await token.fill(treadle.token);
    await stranger.getByRole("button", { name: "Sign in" }).click();
    await stranger.getByText("There is no such project").waitFor();
    expect(stranger.url()).not.toContain("token");
    await other.close();
    const abroad = await browser.newContext({ viewport: wide, locale: "ja-JP" });
    const japanese = await abroad.newPage();
    await japanese.goto(treadle.origin);
    await japanese.getByRole("heading", { name: "サインインしていません" }).waitFor();
    await picture(japanese, "signed-out-ja");
    await abroad.close();
  });

  it("replaces the typed text with an example, which the browser's own undo reverts", async () => {
    await page.goto(treadle.address);
    const field = page.getByRole("textbox", { name: "What shall we build?" });
    await field.fill("A shop for my bees");
    const examples = page.getByRole("list", { name: "Examples" });
    await examples.getByRole("button").first().click();
    await expect.poll(() => field.inputValue()).not.toContain("bees");
    expect(await field.inputValue()).not.toBe("");
    await page.keyboard.press("Control+z");
    await expect.poll(() => field.inputValue()).toBe("A shop for my bees");
    await page.reload();
    expect(await field.inputValue()).toBe("A shop for my bees");
  });

  it("does not store a key that its provider rejects, and lets the user correct it", async () => {
    await page.goto(treadle.address);
    await page.getByRole("textbox", { name: "What shall we build?" }).fill("A page");
    await page.keyboard.press("Enter");
    await page.getByText("There is no model to build this yet.").waitFor();
    const server = page.getByRole("button", { name: "OpenAI-compatible server" });
    await server.click();
    await page.getByRole("button", { name: "Back to the models" }).click();
    await expect.poll(() => server.evaluate((it) => it === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    // The required field has the focus.
    await page.keyboard.type(`${model.url}/v1`);
    expect(await page.getByLabel("Address").inputValue()).toBe(`${model.url}/v1`);
    const key = page.getByLabel("Key, if it needs one");
    await key.fill("good-kez");
    await page.getByLabel("Model, if it is not in the list").fill("scripted");
    const use = page.getByRole("button", { name: "Use this model" });
    await use.click();
    await page.getByRole("alert").filter({ hasText: "did not accept this key" }).waitFor();
    await page.getByText("Nothing was kept.").waitFor();
    // It was disabled while its provider was being asked.
    await expect.poll(() => use.evaluate((it) => it === document.activeElement)).toBe(true);
    await picture(page, "key-wrong-1440");
    expect(await key.inputValue()).toBe("good-kez");
    expect(JSON.stringify(await (await treadle.api("/api/models")).json())).not.toContain('"page"');
    await key.fill("good-key");
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByText("answered. Save keeps it.").waitFor();
    await use.click();
    // It closes when the choice has been stored.
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Model: scripted" }).waitFor();
    await expect.poll(() => page.getByText("There is no model to build this").count()).toBe(0);
    // A wrong key does not replace a working one.
    await page.getByRole("button", { name: "Model: scripted" }).click();
    await page.getByRole("button", { name: /^Change/ }).click();
    await key.fill("bad");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The previous one is still in use.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("textbox", { name: "What shall we build?" }).fill("A page");
    await page.keyboard.press("Enter");
    await page.getByText("I have read it.").waitFor();
  });

  it("keeps the panes' widths over a reload", async () => {
    const chat = page.getByRole("region", { name: "Conversation" });
    const widthOf = async () => Math.round((await chat.boundingBox())!.width);
    const before = await widthOf();
    const separator = page.getByRole("separator", { name: "Width of the chat" });
    const box = (await separator.boundingBox())!;
    // Nobody hits a single pixel, and the preview's frame beside it would take the pointer.
    await page.getByRole("main").evaluate((main, left) => {
      const frame = document.createElement("iframe");
      frame.style.cssText = `position:fixed;inset:48px 0 0 ${left}px;width:700px;height:800px`;
      main.append(frame);
    }, box.x + 1);
    await page.mouse.move(box.x + 4, 450);
    await page.mouse.down();
    await page.mouse.move(box.x + 160, 450, { steps: 5 });
    await page.mouse.up();
    await expect.poll(widthOf).toBeGreaterThan(before + 120);
    const made = await widthOf();
    await page.reload();
    await page.getByText("I have read it.").waitFor();
    await expect.poll(widthOf).toBe(made);
  });

  it("keeps the caret where the user types when the window becomes narrow, and wide again", async () => {
    const wide = page.viewportSize()!;
    const composer = page.getByRole("textbox", { name: "Say what to change" });
    await composer.fill("Make it blue");
    await composer.press("Home");
    for (const size of [narrow, wide]) {
      await page.setViewportSize(size);
      await page.getByRole("button", { name: "Chat", exact: true }).waitFor({
        state: size === narrow ? "visible" : "detached",
      });
      await page.keyboard.type("x");
    }
    await expect.poll(() => composer.inputValue()).toBe("xxMake it blue");
    await composer.fill("");
  });

  it("fits a phone: the name is complete, and no deleted file is shown", async () => {
    const id = /\/p\/([^/?#]+)/.exec(page.url())![1]!;
    const api = (path: string, init: RequestInit) =>
      treadle.api(`/api/projects/${id}${path}`, init);
    await api("", { method: "PATCH", body: JSON.stringify({ name: "Todo list of the house" }) });
    await api("/files/src/old.ts", {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text: "export {};\n" }),
    });
    await page.setViewportSize(narrow);
    await page.reload();
    const title = page.getByRole("heading", { name: "Todo list of the house" });
    await title.waitFor();
    expect(await title.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    await picture(page, "phone-name-390");
    await page.getByRole("button", { name: "Code", exact: true }).click();
    await page.getByRole("treeitem", { name: "old.ts" }).click();
    await page.getByText("export {};").waitFor();
    await page.getByRole("button", { name: "Chat", exact: true }).click();
    await api("/files/src/old.ts", { method: "DELETE" });
    await page.getByRole("button", { name: "Code", exact: true }).click();
    await page.getByText("src/old.ts no longer exists.").waitFor();
    await page.getByRole("tree").waitFor();
  });

  it("has room on touch screens for the menu of models, whose list loads after the tap", async () => {
    const touch = await browser.newContext({ viewport: narrow, hasTouch: true, isMobile: true });
    const phone = await touch.newPage();
    await phone.goto(treadle.address);
    await phone.goto(page.url());
    await phone.getByRole("button", { name: /^Model: / }).tap();
    const models = phone.getByRole("dialog", { name: "Model" });
    await models.getByText("Add a provider").tap();
    await models.getByRole("button", { name: "Anthropic" }).waitFor();
    // Its position is computed in the frames after that.
    await models.evaluate(async (it) => {
      await Promise.all(it.getAnimations().map(({ finished }) => finished));
      for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
    });
    expect((await models.boundingBox())!.height).toBeGreaterThan(300);
    await picture(phone, "phone-models-390");
    await touch.close();
  });

  it("has the keys in a terminal on touch screens that their keyboards lack", async () => {
    const touch = await browser.newContext({ viewport: narrow, hasTouch: true, isMobile: true });
    const phone = await touch.newPage();
    await phone.goto(treadle.address);
    await phone.goto(page.url());
    await phone.getByRole("button", { name: "More" }).tap();
    await phone.getByRole("button", { name: "Terminal", exact: true }).tap();
    const keys = phone.getByRole("toolbar", { name: "Keys" });
    const screen = phone.locator(".xterm-rows");
    await phone.locator(".xterm").tap();
    await expect.poll(() => screen.textContent()).toMatch(/[$#]/);
    await phone.keyboard.type("echo a$((1+1))b");
    await phone.keyboard.press("Enter");
    await expect.poll(() => screen.textContent()).toContain("a2b");
    await keys.getByRole("button", { name: "Up" }).tap();
    await phone.keyboard.press("Enter");
    await expect.poll(async () => (await screen.textContent())!.split("a2b").length).toBe(3);
    await phone.keyboard.type("sleep 1000");
    await phone.keyboard.press("Enter");
    await keys.getByRole("button", { name: "Ctrl" }).tap();
    await picture(phone, "terminal-keys-390");
    await phone.keyboard.type("c");
    await expect.poll(() => screen.textContent()).toContain("^C");
    expect(await keys.getByRole("button", { name: "Ctrl" }).getAttribute("aria-pressed")).toBe(
      "false",
    );
    await touch.close();
  });

  it("shows a project of 10,000 files as fast as a small one, in natural order", async () => {
    const id = /\/p\/([^/?#]+)/.exec(page.url())![1]!;
    const folder = join(treadle.data, "projects", id, "files/many");
    mkdirSync(folder, { recursive: true });
    for (let index = 1; index <= 10_000; index++)
      writeFileSync(join(folder, `file${index}.txt`), "");
    writeFileSync(join(folder, "long.log"), `${"a line of the log\n".repeat(200_000)}the end`);
    await page.setViewportSize(wide);
    await page.getByRole("tab", { name: "Code" }).click();
    const row = (name: string) => page.getByRole("treeitem", { name, exact: true });
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole("tab", { name: "Code" }).click();
          await row("many").waitFor();
          return row("many").getAttribute("aria-expanded");
        },
        { timeout: 120_000, interval: 1_000 },
      )
      .toBe("false");
    await row("many").click();
    await row("file2.txt").waitFor();
    expect(await row("file2.txt").getAttribute("aria-setsize")).toBe("10001");
    const names = await page.getByRole("treeitem").allTextContents();
    expect(names.slice(names.indexOf("file1.txt"), names.indexOf("file1.txt") + 3)).toEqual([
      "file1.txt",
      "file2.txt",
      "file3.txt",
    ]);
    expect(names.length).toBeLessThan(120);
    await picture(page, "tree-10000-1440");
    await row("many").press("End");
    await expect.poll(() => page.locator("[role=treeitem]:focus").count()).toBe(1);
    await page.reload();
    await page.getByRole("tab", { name: "Code" }).click();
    await row("file2.txt").waitFor();

    // A long file is read in parts.
    await page.evaluate(() =>
      document.querySelector("[role=tree]")!.parentElement!.scrollTo(0, 1e9),
    );
    await row("long.log").click();
    await page.getByText("Read only: lines 1 to").waitFor();
    await page.getByText("a line of the log").first().waitFor();
    await picture(page, "long-file-1440");
    for (let part = 0; part < 3; part++)
      await page.getByRole("button", { name: "Next part" }).click();
    await expect
      .poll(() => page.getByRole("button", { name: "Next part" }).isDisabled())
      .toBe(true);
    await page.getByText("200,001,").waitFor();
  });
});
