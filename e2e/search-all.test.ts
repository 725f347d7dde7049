import { describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { setStage, type Stage } from "./support/stage.ts";

let { treadle, page, person } = {} as Stage;
let project: string;

const at = (path: string) => `/api/projects/${project}/files/${path}`;
const put = (path: string, text: string) =>
  treadle.api(at(path), {
    method: "PUT",
    headers: { "if-none-match": "*" },
    body: JSON.stringify({ text }),
  });
const read = async (path: string) =>
  ((await (await treadle.api(at(path))).json()) as { text: string }).text;

setStage({}, async (stage) => {
  ({ treadle, page, person } = stage);
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  await put("src/a.ts", "const apple = 1;\nexport const Apple2 = apple;\n");
  await put("src/b.ts", "// an apple, and an apple\n");
  await put("src/a.test.ts", "test(apple);\n");
  await put("notes.md", "apple pie\n");
  await stage.person.signIn();
  await page.goto(`${treadle.origin}/p/${project}`);
  await page.getByRole("tab", { name: "Code" }).click();
  await page.getByRole("treeitem", { name: "a.ts", exact: true }).waitFor();
});

const search = () => page.getByRole("search", { name: "Find in all files" });
const found = () => page.getByRole("tree", { name: "What was found" });
const rows = () => found().getByRole("treeitem", { level: 2 });

describe("searching all files", () => {
  it("finds lines by text, case and whole words, and opens them at their positions", async () => {
    await page.keyboard.press("Control+Shift+F");
    await search().getByRole("textbox", { name: "Find in all files" }).fill("apple");
    await page.getByText("5 lines in 4 files").waitFor();
    await search().getByRole("button", { name: "Match case" }).click();
    await search().getByRole("button", { name: "Whole words" }).click();
    await page.getByText("5 lines in 4 files").waitFor();
    await rows().filter({ hasText: "an apple" }).click();
    await page.locator(".cm-content").getByText("an apple").waitFor();
    await page.keyboard.type("fresh ");
    await expect.poll(() => read("src/b.ts")).toBe("// an fresh apple, and an apple\n");
  });

  it("includes and excludes files", async () => {
    await search().getByRole("button", { name: "Files…" }).click();
    await search().getByLabel("Only in these").fill("src");
    await page.getByText("4 lines in 3 files").waitFor();
    await search().getByLabel("Not in these").fill("*.test.ts");
    await page.getByText("3 lines in 2 files").waitFor();
    await picture(page, "search-all-1440");
  });

  it("says what is wrong with an expression", async () => {
    await search().getByRole("button", { name: "Regular expression" }).click();
    await search().getByRole("textbox", { name: "Find in all files" }).fill("(");
    await page.getByRole("alert").filter({ hasText: "could not be done" }).waitFor();
    await search().getByRole("textbox", { name: "Find in all files" }).fill("(app)(le)");
    await search().getByRole("button", { name: "Whole words" }).click();
    await page.getByText("3 lines in 2 files").waitFor();
  });

  it("previews each replaced line, replaces all but the excluded ones, and can undo it", async () => {
    await search().getByRole("button", { name: "Replace as well" }).click();
    await search().getByRole("textbox", { name: "Replace with" }).fill("$2$1");
    await rows().locator("ins").filter({ hasText: "leapp" }).first().waitFor();
    await picture(page, "search-replace-1440");
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, "search-replace-dark");
    await page.emulateMedia({ colorScheme: "light" });
    expect(await problemsOf(page)).toEqual([]);
    await rows().filter({ hasText: "Apple2" }).focus();
    await page.keyboard.press("Delete");
    await page.getByText("2 lines in 2 files").waitFor();
    await search().getByRole("button", { name: "Replace in 2 lines" }).click();
    await page.getByText("Replaced in 2 lines, 2 files.").waitFor();
    expect(await read("src/a.ts")).toBe("const leapp = 1;\nexport const Apple2 = apple;\n");
    expect(await read("src/b.ts")).toBe("// an fresh leapp, and an leapp\n");
    expect(await read("notes.md")).toBe("apple pie\n");
    // Also works after looking at something else first.
    await person.tab("Preview");
    await page.getByText("Replaced in 2 lines, 2 files.").waitFor({ state: "detached" });
    await person.tab("Code");
    await page.getByText("Replaced in 2 lines, 2 files.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => read("src/b.ts")).toBe("// an fresh apple, and an apple\n");
    expect(await read("src/a.ts")).toContain("const apple = 1;");
  });

  it("fits a smaller window and a phone", async () => {
    await page.setViewportSize({ width: 1024, height: 768 });
    await picture(page, "search-replace-1024");
    await page.setViewportSize({ width: 390, height: 844 });
    await search().waitFor();
    await picture(page, "search-replace-390");
    await rows().first().click();
    await expect.poll(() => search().count()).toBe(0);
    await page.locator(".cm-content").filter({ visible: true }).waitFor();
  });
});

describe("searching all projects", () => {
  it("finds a line of a file from the first page's palette, and opens it there", async () => {
    await put("far/away.txt", "hay\nhay\na needle in the hay\n");
    await page.goto(treadle.origin);
    await page.getByRole("textbox", { name: "What shall we build?" }).waitFor();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Commands" });
    await palette.getByRole("combobox").fill("needle in");
    await palette
      .getByRole("group", { name: "In messages and files of all projects" })
      .getByRole("option", { name: "a needle in the hay" })
      .click();
    await page.locator(".cm-activeLine").getByText("a needle in the hay").waitFor();
  });
});
