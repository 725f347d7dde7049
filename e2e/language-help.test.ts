import { afterEach, describe, expect, it } from "vitest";
import { picture } from "./support/browser.ts";
import { setStage, type Stage } from "./support/stage.ts";

let { treadle, page } = {} as Stage;
let project: string;
const problems: string[] = [];

const put = (path: string, text: string) =>
  treadle.api(`/api/projects/${project}/files/${path}`, {
    method: "PUT",
    headers: { "if-none-match": "*" },
    body: JSON.stringify({ text }),
  });
const read = async (path: string) => {
  const answer = await treadle.api(`/api/projects/${project}/files/${path}`);
  return ((await answer.json()) as { text: string }).text;
};

setStage({}, async (stage) => {
  ({ treadle, page } = stage);
  page.on("pageerror", (error) => problems.push(error.message));
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  await put("tsconfig.json", '{ "compilerOptions": { "strict": true } }\n');
  await put("src/fruit.ts", "/** What grows on it. */\nexport const appleTree = { apples: 3 };\n");
  await put("src/use.ts", 'import { appleTree } from "./fruit";\nconsole.log(appleTree.apples);\n');
  await put("src/new.ts", 'const count: number = "three";\n\n');
  await put("src/look.css", ":root {\n  --ink: red;\n}\na {\n  colr: red;\n}\n");
  await put(
    "src/Count.svelte",
    '<script lang="ts">\n  let count: number = "three";\n</script>\n\n<p>{count}</p>\n',
  );
  await put(
    "src/Sum.vue",
    '<script setup lang="ts">\nconst sum: number = "three";\nconsole.log(sum);\n</script>\n\n<template>\n  <p>{{ sum }}</p>\n</template>\n',
  );
  await put("src/data.json", '{ "a": 1, }\n');
  await stage.person.signIn();
  await page.goto(`${treadle.origin}/p/${project}`);
  await page.getByRole("tab", { name: "Code" }).click();
});

const file = (name: string) => page.getByRole("treeitem", { name, exact: true });
/** Opens a file, and waits until the language server knows it. */
async function open(name: string) {
  // Where a test before has failed, the page was loaded anew.
  await page.getByRole("tab", { name: "Code" }).click();
  await file(name).click();
  const own = page.getByRole("textbox", { name: `Text of src/${name}` });
  await page.locator("[data-language-help]", { has: own }).filter({ visible: true }).waitFor();
}
const text = () => page.locator(".cm-content").filter({ visible: true });
const wrong = () => text().locator(".cm-lintRange-error, .cm-lintRange-warning");
const lineOf = (words: string) => text().locator(".cm-line", { hasText: words });
/** The position of a word in the first line with this text. */
const placeOf = (words: string, word: string) =>
  lineOf(words)
    .first()
    .evaluate((line, expected) => {
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = (node as Text).data.indexOf(expected);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + expected.length);
        const { left, top, width, height } = range.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      }
      throw new Error(`no ${expected}`);
    }, word);
async function clickWord(words: string, word: string) {
  const { x, y } = await placeOf(words, word);
  await page.mouse.click(x, y);
}
const shownFile = () => page.locator("[data-tab][aria-current=true]");

describe("a symbol of the project", () => {
  const palette = () => page.getByRole("dialog", { name: "Commands" });
  const options = () => palette().getByRole("option");
  // An open dialog hides the rest of the page from the following steps.
  afterEach(() => page.keyboard.press("Escape"));

  it("is found while no file is open, and links to its line", async () => {
    await page.keyboard.press("Control+p");
    await palette().getByRole("combobox").fill("#appleT");
    await options().filter({ hasText: "src/fruit.ts:2" }).waitFor();
    await picture(page, "language-symbols-1440");
    await page.keyboard.press("Enter");
    await palette().waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Text of src/fruit.ts" }).waitFor();
    await expect
      .poll(() => page.locator(".cm-activeLine").filter({ visible: true }).innerText())
      .toContain("export const appleTree");
  });

  it("is found again beside the open file, and by no other name", async () => {
    await page.locator("[data-language-help]").filter({ visible: true }).waitFor();
    await page.keyboard.press("Control+p");
    await palette().getByRole("combobox").fill("#appleTree");
    await options().filter({ hasText: "src/fruit.ts:2" }).waitFor();
    await palette().getByRole("combobox").fill("#nothingIsCalledSo");
    await palette().getByText("Nothing has that name.").waitFor();
    await page.keyboard.press("Escape");
    await palette().waitFor({ state: "detached" });
  });
});

describe("the language server of a file", () => {
  it("marks errors, with their reasons", async () => {
    await open("new.ts");
    await wrong().first().waitFor();
    await wrong().first().hover();
    await page.getByText("Type 'string' is not assignable to type 'number'.").waitFor();
    await picture(page, "language-problem-1440");
  });

  it("no longer marks a fixed error", async () => {
    await text().getByText("three").dblclick();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Shift+End");
    await page.keyboard.type("const count: number = 3;");
    await expect.poll(() => wrong().count()).toBe(0);
  });

  it("suggests names from other files, and adds the import of the chosen one", async () => {
    await page.keyboard.press("Control+End");
    await page.keyboard.type("count + appleTr");
    const suggestion = page.getByRole("option", { name: /^appleTree/ });
    await suggestion.first().waitFor();
    await picture(page, "language-suggestions-1440");
    await suggestion.first().click();
    await expect.poll(() => read("src/new.ts")).toContain('import { appleTree } from "./fruit"');
    expect(await read("src/new.ts")).toContain("count + appleTree");
  });

  it("describes a name", async () => {
    await text().getByText("appleTree").last().hover();
    const hint = page.locator(".cm-lsp-hover-tooltip");
    await hint.getByText("What grows on it.").waitFor();
    await picture(page, "language-hint-1440");
    await page.mouse.move(5, 5);
  });

  it("goes to the definition with F12 and Ctrl-click", async () => {
    await open("use.ts");
    await clickWord("console.log", "appleTree");
    await page.keyboard.press("F12");
    await expect.poll(() => shownFile().innerText()).toContain("fruit.ts");
    await open("use.ts");
    await page.keyboard.down("Control");
    await clickWord("console.log", "appleTree");
    await page.keyboard.up("Control");
    await expect.poll(() => shownFile().innerText()).toContain("fruit.ts");
  });

  it("lists references", async () => {
    await clickWord("appleTree", "appleTree");
    await page.keyboard.press("Shift+F12");
    const found = page.getByRole("tree", { name: "What was found" });
    await found.getByRole("treeitem", { name: /console\.log\(appleTree/ }).waitFor();
    await picture(page, "language-uses-1440");
    await page.getByRole("button", { name: "Close the search" }).click();
  });

  it("renames it in every file", async () => {
    await clickWord("appleTree", "appleTree");
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "New name" }).fill("pearTree");
    await picture(page, "language-rename-1440");
    await page.keyboard.press("Enter");
    await page.getByText("Renamed to pearTree in 3 files.").waitFor();
    await expect.poll(() => read("src/fruit.ts")).toContain("const pearTree");
    await expect.poll(() => read("src/use.ts")).toContain("pearTree.apples");
    expect(await read("src/new.ts")).toContain("count + pearTree");
    // In all of them at once, as it came.
    const notice = page.locator("[data-sonner-toast]", { hasText: "Renamed to pearTree" });
    await notice.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => read("src/fruit.ts")).toContain("const appleTree");
    await expect.poll(() => read("src/use.ts")).toContain("appleTree.apples");
    await expect.poll(() => read("src/new.ts")).toContain("count + appleTree");
  });

  it("lists the file's symbols, and goes to one", async () => {
    await text().click();
    await page.keyboard.press("Control+Shift+O");
    await page.getByText("src/fruit.ts: 2 names").waitFor();
    await page.getByRole("button", { name: "Close the search" }).click();
  });

  it("formats a file with its server, or with the project's own formatter if it has one", async () => {
    await put("src/mess.css", "a{color:red}\n");
    await open("mess.css");
    await page.getByRole("button", { name: /^Format/ }).click();
    await expect.poll(() => read("src/mess.css")).toBe("a {\n  color: red\n}\n");
    await put(
      "node_modules/prettier/bin/prettier.cjs",
      "let text = ''; process.stdin.on('data', (more) => (text += more)).on('end', () => process.stdout.write('/* ' + process.argv[3] + ' */\\n' + text));",
    );
    await text().click();
    await page.keyboard.press("Shift+Alt+F");
    await expect
      .poll(() => read("src/mess.css"))
      .toBe("/* src/mess.css */\na {\n  color: red\n}\n");
  });

  it("supports CSS and JSON as well", async () => {
    await open("look.css");
    await wrong().first().hover();
    await page.getByText("Unknown property: 'colr'").waitFor();
    await lineOf("colr").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("text-dec");
    await page
      .getByRole("option", { name: /^text-decoration/ })
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await open("data.json");
    await wrong().first().hover();
    await page.getByText("Trailing comma").waitFor();
  });

  it.each([
    ["svelte", "Count.svelte", "<p>", "count", "let count"],
    ["vue", "Sum.vue", "console.log", "sum", "const sum"],
  ])(
    "supports %s, whose server is installed in the sandbox with the first such file",
    async (server, name, line, word, made) => {
      await file(name).click();
      const own = page.getByRole("textbox", { name: `Text of src/${name}` });
      const known = page.locator(`[data-language-help=${server}]`, { has: own });
      await known.filter({ visible: true }).waitFor({ timeout: 120_000 });
      await wrong().first().waitFor();
      await wrong().first().hover();
      const why = page.getByText("Type 'string' is not assignable to type 'number'.");
      await why.waitFor();
      await picture(page, `language-${server}-1440`);
      // The tooltip may cover the line that is clicked next.
      await page.mouse.move(5, 5);
      await why.waitFor({ state: "detached" });
      await clickWord(line, word);
      await page.keyboard.press("F12");
      await expect
        .poll(() => page.locator(".cm-activeLine").filter({ visible: true }).innerText())
        .toContain(made);
    },
  );

  it("restarts automatically after it was ended", async () => {
    await treadle.api(`/api/projects/${project}/files/src/kill.sh`, {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text: "pkill tsc\n" }),
    });
    await page.getByRole("button", { name: "Terminal" }).first().click();
    await page.locator(".xterm-helper-textarea").first().waitFor({ state: "attached" });
    await page.locator(".xterm").first().click();
    await page.keyboard.type("bash src/kill.sh\n");
    await open("use.ts");
    await lineOf("console.log").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" nothingSuch");
    await expect.poll(() => wrong().count(), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(problems).toEqual([]);
  });
});
