import { expect, it } from "vitest";
import { problemsOf } from "./support/axe.ts";
import { picture } from "./support/browser.ts";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

/** What the last turn and the person changed, as tree, list of changes and history show it. */
let { page, person, treadle } = {} as Stage;
setStage({ script: scriptNamed("throws") }, async (stage) => {
  ({ page, person, treadle } = stage);
  await person.open();
  await person.ask("Build a page");
  await person.sees("runs");
});

const isSound = async (name: string) => {
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await expect
      .poll(() => problemsOf(page, theme === "dark" ? "colours" : "all"), { message: theme })
      .toEqual([]);
    await picture(page, `${name}-${theme}`);
  }
};
const write = (path: string, text: string) =>
  treadle.api(`/api/projects/${person.projectId()}/files/${path}`, {
    method: "PUT",
    headers: { "if-none-match": "*" },
    body: JSON.stringify({ text }),
  });

it("marks in the tree what is new and what changed in the last turn", async () => {
  await person.tab("Code");
  const mark = (name: string) =>
    page.getByRole("treeitem", { name, exact: true }).locator("[data-mark]");
  await expect.poll(() => mark("chart.js").getAttribute("data-mark")).toBe("added");
  await page.getByRole("treeitem", { name: "index.html", exact: true }).click();
  await isSound("tree-marks");
});

it("lists the changed files beside their diffs, and folds a long one until it is selected", async () => {
  await write("long.txt", "a line\n".repeat(400));
  await write("short.txt", "a line\n");
  await person.tab("Changes");
  const files = page.getByRole("list", { name: "Changed files" });
  await expect.poll(() => files.getByRole("listitem").count()).toBe(4);
  const difference = (name: string) => page.getByRole("group", { name, exact: true });
  const line = (name: string) => difference(name).locator("[data-expand]");
  await expect.poll(() => line("short.txt").getAttribute("aria-expanded")).toBe("true");
  expect(await line("long.txt").getAttribute("aria-expanded")).toBe("false");
  await isSound("changed-files");
  await files.getByRole("button", { name: /long\.txt/ }).click();
  await expect.poll(() => line("long.txt").getAttribute("aria-expanded")).toBe("true");
});

it("names manual changes in the history, and what was seen at each checkpoint", async () => {
  await person.sendMessage("How is it?");
  await person.turnEnds();
  await page.getByRole("button", { name: "History" }).click();
  const rows = page.getByRole("list", { name: "Checkpoints" }).getByRole("listitem");
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual(expect.arrayContaining([expect.stringContaining("You changed 2 files")]));
  const built = rows.filter({ has: page.getByText("Build a page", { exact: true }) });
  await built.getByText("Runs", { exact: true }).waitFor();
  await isSound("history-marks");
});
