import { describe, expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let stage = {} as Stage;
let project: string;

const at = (path: string) => `/api/projects/${project}/files/${path}`;
const put = (path: string, text: string) =>
  stage.treadle.api(at(path), {
    method: "PUT",
    headers: { "if-none-match": "*" },
    body: JSON.stringify({ text }),
  });
const read = async (path: string) =>
  ((await (await stage.treadle.api(at(path))).json()) as { text: string }).text;

setStage({ own: true, script: scriptNamed("locks") }, async (opened) => {
  stage = opened;
  const made = await stage.treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  await put("src/theme.css", "body { color: red }\n");
  await put("src/deep/a.txt", "a\n");
  await stage.person.signIn();
  await stage.page.goto(`${stage.treadle.origin}/p/${project}`);
  await stage.page.getByRole("tab", { name: "Code" }).click();
});

const row = (name: string | RegExp) => stage.page.getByRole("treeitem", { name, exact: true });

describe("a lock", () => {
  it("is set on a folder in the tree, and shown there and in the editor", async () => {
    const { page } = stage;
    await row("src").click({ button: "right" });
    await picture(page, "tree-menu-1440");
    await page.getByRole("menuitem", { name: "Lock for the model" }).click();
    await row("src (locked)").waitFor();
    await row("theme.css (locked)").click();
    const lock = page.getByRole("button", { name: "src/theme.css is in a locked folder" });
    await expect.poll(() => lock.isDisabled()).toBe(true);
    expect(await problemsOf(page)).toEqual([]);
    await picture(page, "locks-1440");
  });

  it("protects against the model's writes and its commands' changes", async () => {
    const { page, person } = stage;
    await person.sendMessage("Make it blue");
    await page.getByText("The colours are locked, so I left them as they are.").waitFor();
    await expect.poll(() => read("other.txt")).toBe("done\n");
    expect(await read("src/theme.css")).toBe("body { color: red }\n");
    await page
      .getByText(/^Locked: writing/)
      .first()
      .waitFor();
    await picture(page, "locks-told-1440");
  });

  it("marks the turn's other changes beside their lines", async () => {
    const { page } = stage;
    await row("notes.md").click();
    await page.locator(".cm-turn-added").filter({ visible: true }).first().waitFor();
    await picture(page, "turn-marks-1440");
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, "turn-marks-dark");
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("survives a restart, and follows a renamed folder", async () => {
    await stage.treadle.kill("SIGKILL");
    stage.treadle = await stage.restart();
    const { page, treadle } = stage;
    await page.goto(treadle.address);
    await page.goto(`${treadle.origin}/p/${project}`);
    await page.getByRole("tab", { name: "Code" }).click();
    await row("src (locked)").focus();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "New path of src" }).fill("look");
    await page.keyboard.press("Enter");
    await row("look (locked)").waitFor();
    await row("look (locked)").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Unlock" }).click();
    await row("look").waitFor();
  });

  it("does not restrict the user's tree: a new folder, a new file in it, a ZIP of it", async () => {
    const { page } = stage;
    await page.getByRole("button", { name: "New folder" }).click();
    await page.getByRole("textbox", { name: "Path of the new folder" }).fill("parts");
    await page.keyboard.press("Enter");
    await row("parts").click({ button: "right" });
    await page.getByRole("menuitem", { name: "New file" }).click();
    await page.getByRole("textbox", { name: "Path of the new file" }).waitFor();
    await page.keyboard.press("End");
    await page.keyboard.type("one.ts");
    await page.keyboard.press("Enter");
    await row("one.ts").waitFor();
    await row("look").click({ button: "right" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Download as ZIP" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("look.zip");
    await row("parts").focus();
    await page.keyboard.press("Delete");
    await expect.poll(() => row("parts").count()).toBe(0);
    const notice = page.locator("[data-sonner-toast]", { hasText: "Deleted parts." });
    await notice.getByRole("button", { name: "Undo" }).click();
    await row("parts").waitFor();
  });
});
