import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import type { FileChooser } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { ARE_PICTURES_TAKEN, picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { browser, page, person, treadle } = {} as Stage;

setStage({ script: scriptNamed("chat") }, (stage) => {
  ({ browser, page, person, treadle } = stage);
});

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;

/** Takes pictures of the current page at three widths and in both themes. */
async function pictures(name: string): Promise<void> {
  if (!ARE_PICTURES_TAKEN) return;
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: 900 });
  // Text typed before the page is wide again would be typed into a field that is removed.
  await page.getByRole("navigation", { name: "Panes" }).waitFor({ state: "detached" });
}

const result = () => page.getByRole("region", { name: "Result" }).last();

/** Uploads a file with a button of the first page. */
async function give(name: string, files: Parameters<FileChooser["setFiles"]>[0]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name, exact: true }).click();
  await (await chooser).setFiles(files);
}

/** An exported chat as a file. */
const exported = (body: object) => ({
  name: "chat.json",
  mimeType: "application/json",
  buffer: Buffer.from(JSON.stringify(body)),
});

describe("the conversation", () => {
  it("shows a successful turn in one line: what holds, how many lines, and a picture", async () => {
    await person.open();
    await person.ask("Build a shopping list");
    await person.sees("runs");
    await result().getByText("Lines: 11 added, 0 removed").waitFor();
    const seen = result().getByRole("img", { name: "What the page looked like" });
    await expect
      .poll(() => seen.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(1280);
    await pictures("chat-verified");
    await person.sendMessage("Add eggs");
    await page.getByText("Lines: 1 added, 0 removed").first().waitFor();
    await person.sees("runs");
  });

  it("does not cover text with a message's actions on touch screens, which have no hover", async () => {
    const touch = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    onTestFinished(() => touch.close());
    const phone = await touch.newPage();
    await phone.goto(treadle.address);
    await phone.goto(page.url());
    const messages = [
      ["Copy the message", "Build a shopping list"],
      ["Copy the answer", "one page with what there is to buy"],
    ] as const;
    for (const [button, words] of messages) {
      const copy = phone.getByRole("button", { name: button }).first();
      await copy.waitFor();
      const under = await copy.evaluate((element) => {
        const bar = element.parentElement!;
        const message = bar.parentElement!;
        const own = bar.getBoundingClientRect();
        const lies = ({ left, right, top, bottom }: DOMRect) =>
          right > own.left && left < own.right && bottom > own.top && top < own.bottom;
        const texts = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          const range = document.createRange();
          range.selectNodeContents(node);
          if (!bar.contains(node) && [...range.getClientRects()].some(lies))
            found.push(node.textContent!);
        }
        return { found, text: message.textContent };
      });
      expect(under.found).toEqual([]);
      expect(under.text).toContain(words);
    }
    await picture(phone, "chat-touch-390");
  });

  it("has room for the model's name beside the other controls, at any width", async () => {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const name = page.getByRole("button", { name: "Model: scripted" }).locator("span");
      await expect
        .poll(() => name.evaluate((one) => one.scrollWidth - one.clientWidth))
        .toBeLessThanOrEqual(0);
      const plan = page.getByRole("switch", { name: "Plan" });
      await plan.focus();
      await page.keyboard.press("Space");
      expect(await plan.isChecked()).toBe(true);
      await page.locator("label", { has: plan }).click();
      expect(await plan.isChecked()).toBe(false);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("navigation", { name: "Panes" }).waitFor({ state: "detached" });
  });

  it("sends a message again, or again in place of its turn", async () => {
    const eggs = page
      .getByRole("article")
      .getByRole("paragraph")
      .filter({ hasText: /^Add eggs$/ });
    await eggs.hover();
    const turn = page.getByRole("article").last();
    await turn.getByRole("button", { name: "Try again" }).first().click();
    await picture(page, "chat-again-1440-light");
    await page.getByRole("menuitem", { name: "Undo this turn, then send again" }).click();
    await expect.poll(() => eggs.count()).toBe(2);
    // The label above the preview may still be from the previous turn.
    await turn.getByText(/^Runs/).first().waitFor();
    await person.tab("Code");
    await page.getByRole("treeitem", { name: "index.html" }).click();
    // It was not added to what was already there.
    await expect
      .poll(() => page.locator(".cm-content").innerText())
      .toMatch(/^(?!.*Eggs[\s\S]*Eggs)[\s\S]*Eggs/);
  });

  it("shows in the history what was seen at each checkpoint", async () => {
    await page.getByRole("button", { name: "History" }).click();
    const list = page.getByRole("list", { name: "Checkpoints" });
    const drawn = () =>
      list
        .locator("img")
        .evaluateAll((images) => images.map((one) => (one as HTMLImageElement).naturalWidth));
    await expect
      .poll(async () => (await drawn()).filter((width) => width === 1280).length)
      .toBeGreaterThan(1);
    const all = await list.getByRole("listitem").count();
    await page.getByRole("textbox", { name: "Words of a request" }).fill("eggs add");
    await expect.poll(() => list.getByRole("listitem").count()).toBeLessThan(all);
    await list
      .getByText(/^Add eggs$/)
      .first()
      .waitFor();
    await picture(page, "history-1440-light");
    await page.getByRole("combobox", { name: "Verdict" }).selectOption({ label: "Failed" });
    await expect.poll(() => list.getByRole("listitem").count()).toBe(0);
    await page.keyboard.press("Escape");
  });

  it("can be searched, including parts that are not drawn or open, and marks the matches", async () => {
    const turns = Array.from({ length: 60 }, (_, at) => [
      { role: "user", content: `Request ${at}: a ${at === 2 ? "needle" : "shop"}` },
      {
        role: "assistant",
        content: `Answer ${at}, with a **need**le in it. ${"Words. ".repeat(40)}`,
      },
    ]);
    const messages = turns.flat().map((message, id) => ({ ...message, id: `${id}` }));
    await person.open();
    await give("chat export", exported({ description: "A long talk", messages }));
    await page.getByRole("heading", { name: "A long talk" }).waitFor();
    await page.getByText("Answer 59,").waitFor();
    expect(await page.getByText("Request 2:").count()).toBe(0);
    await page.getByRole("textbox", { name: "Say what to change" }).press("Control+f");
    const field = page.getByRole("textbox", { name: "Find in the conversation" });
    const search = page.getByRole("search", { name: "Find in the conversation" });
    /** The text marked as the current match, and whether it is visible. */
    const current = () =>
      page.evaluate(() => {
        const [range] = [...(CSS.highlights.get("found-current") ?? [])] as Range[];
        const box = range?.startContainer.parentElement?.closest("article");
        const { top = -1, bottom = -1 } = range?.getBoundingClientRect() ?? {};
        return [range?.toString(), box?.textContent?.match(/Request \d+/)?.[0], top > 0 && bottom < innerHeight]; // prettier-ignore
      });
    await field.fill("needle");
    await search.getByText("61 of 61").waitFor();
    await expect.poll(current).toEqual(["needle", "Request 59", true]);
    // Enter starts again at the first match, which belongs to a turn that was not drawn.
    await field.press("Enter");
    await expect.poll(current).toEqual(["needle", "Request 0", true]);
    await field.press("Enter");
    await field.press("Enter");
    await search.getByText("3 of 61").waitFor();
    await expect.poll(current).toEqual(["needle", "Request 2", true]);
    await search.getByRole("button", { name: "Previous match" }).click();
    await expect.poll(current).toEqual(["needle", "Request 1", true]);
    await pictures("chat-search");
    await field.fill("no such thing");
    await search.getByText("Nothing found").waitFor();
    await field.press("Escape");
    await search.waitFor({ state: "detached" });
    expect(await page.evaluate(() => CSS.highlights.size)).toBe(0);
  });
});

describe("the first page", () => {
  it("shows a project as a card with a picture", async () => {
    await person.open();
    const card = page.getByRole("listitem").filter({ hasText: "shopping list" });
    await expect
      .poll(() => card.locator("img").evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(1280);
    await card.getByText("Runs").waitFor();
    await pictures("first-page");
  });
});

describe("commands", () => {
  it("are offered after a slash and chosen with the keyboard; a talk-only turn changes nothing", async () => {
    await page.getByRole("link", { name: /shopping list/i }).click();
    const field = page.getByRole("textbox", { name: "Say what to change" });
    await field.fill("/");
    const list = page.getByRole("listbox", { name: "Commands" });
    await list.getByText("/compact").waitFor();
    await pictures("commands");
    await field.fill("/dis");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Discuss", pressed: true }).waitFor();
    expect(await field.inputValue()).toBe("");
    await person.sendMessage("Why a list");
    await page.getByText("Left for later: writing index.html").waitFor();
    await page.getByRole("button", { name: "Discuss", pressed: false }).waitFor();
    await person.sees("runs");
    const replies = page.getByRole("list", { name: "Quick replies" });
    await replies.getByRole("button", { name: "Do that." }).click();
    await page.getByText("Do that.", { exact: true }).first().waitFor();
  });
});

describe("files on this machine", () => {
  it("become a project: a ZIP, exported chats, and a folder; a ZIP that leads outside is refused with a message", async () => {
    const archive = (path: string) => ({
      name: "shop.zip",
      mimeType: "application/zip",
      buffer: Buffer.from(zipSync({ [path]: new TextEncoder().encode("<h1>From a ZIP</h1>") })),
    });
    await person.open();
    await give("ZIP", archive("../evil.html"));
    await page.getByText("leads out of the project").waitFor();
    await pictures("import-refused");
    await give("ZIP", archive("shop/index.html"));
    await page.getByRole("heading", { name: "shop" }).waitFor();
    await person.tab("Code");
    await page.getByRole("treeitem", { name: "index.html" }).waitFor();

    const folder = mkdtempSync(join(tmpdir(), "garden-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // A folder is not omitted because of its name, but if git ignores it and nothing imports it.
    mkdirSync(join(folder, "src/coverage"), { recursive: true });
    writeFileSync(join(folder, "src/coverage/plan.ts"), "export {};\n");
    mkdirSync(join(folder, "reports"));
    writeFileSync(join(folder, "reports/all.html"), "<p>made</p>");
    writeFileSync(join(folder, ".gitignore"), "reports\n");
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "src/plants.ts"), "export {};\n");
    writeFileSync(join(folder, "node_modules/a.js"), "");
    // A bolt chat: its messages and files; an export of several is a list.
    const answer = (text: string) =>
      `Here it is.\n<boltArtifact id="a" title="A shop"><boltAction type="file" filePath="src/shop.ts">${text}</boltAction></boltArtifact>`;
    const chat = (description: string, ...more: object[]) => ({
      description,
      messages: [
        { id: "1", role: "user", content: "Build a shop of bolts" },
        { id: "2", role: "assistant", content: answer("export {};") },
        ...more,
      ],
    });
    await person.open();
    await give("chat export", exported({ no: "chat" }));
    await page.getByText("This is not an export of bolt's chat").waitFor();
    await give("chat export", exported(chat("A shop of bolts")));
    await page.getByRole("heading", { name: "A shop of bolts" }).waitFor();
    await page.getByText("Build a shop of bolts", { exact: true }).waitFor();
    await page.getByText("Here it is.").waitFor();
    await person.tab("Code");
    await page
      .getByRole("treeitem", { name: "shop.ts" })
      .or(page.getByRole("treeitem", { name: "src" }))
      .first()
      .waitFor();
    await person.open();
    await give("chat export", exported({ chats: [chat("First shop"), chat("Second shop")] }));
    await page.getByRole("link", { name: "Open First shop" }).waitFor();
    await pictures("imported-chats");
    await page.getByRole("link", { name: "Open Second shop" }).click();
    await page.getByRole("heading", { name: "Second shop" }).waitFor();

    await person.open();
    await give("folder", folder);
    await page.getByRole("heading", { name: /^garden-/ }).waitFor();
    await person.tab("Code");
    await page.getByRole("treeitem", { name: ".gitignore" }).waitFor();
    const [, id] = /\/p\/([^/?#]+)/.exec(page.url())!;
    const { files } = await (await treadle.api(`/api/projects/${id}/files`)).json();
    expect(files.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      ".gitignore",
      "src",
      "src/coverage",
      "src/coverage/plan.ts",
      "src/plants.ts",
    ]);
  });
});
