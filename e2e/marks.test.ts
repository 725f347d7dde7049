import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person } = {} as Stage;

setStage({ script: scriptNamed("page") }, async (stage) => {
  ({ page, person } = stage);
  // Records everything that is shown even for a moment, because somebody may see or hear it.
  await page.addInitScript(() => {
    const texts: string[] = [];
    Object.assign(window, { told: texts });
    new MutationObserver(() => {
      const chip = document.querySelector("header [data-verdict]")?.getAttribute("data-verdict");
      const beads = [...document.querySelectorAll("header [data-part]")]
        .filter((bead) => bead.checkVisibility({ visibilityProperty: true }))
        .map((bead) => bead.getAttribute("data-state"));
      const now = JSON.stringify({ chip, beads });
      if (texts.at(-1) !== now) texts.push(now);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
});

interface Marks {
  chip?: string;
  beads: string[];
}

const marksOf = async (at: Page): Promise<Marks[]> =>
  (
    await at.evaluate(() => {
      const { told: all } = window as unknown as { told: string[] };
      return all.splice(0);
    })
  ).map((one) => JSON.parse(one) as Marks);

const chips = (marks: Marks[]) => [...new Set(marks.flatMap(({ chip }) => chip ?? []))];

it("is working from the prompt on, until there is a verdict", async () => {
  await person.open();
  await person.ask("Build a page");
  await person.sees("runs");
  expect(chips(await marksOf(page))).toEqual(["working", "runs"]);
});

it("shows nothing after a reload before it knows the state", async () => {
  await page.reload();
  await person.sees("runs");
  const marks = await marksOf(page);
  expect(chips(marks)).toEqual(["runs"]);
  const shown = marks.filter(({ beads }) => beads.length > 0);
  expect(shown.length).toBeGreaterThan(0);
  for (const { beads } of shown) expect(beads).not.toContain("untried");
});
