import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";

let { page, person } = {} as Stage;

setStage({ script: scriptNamed("page") }, async (stage) => {
  ({ page, person } = stage);
  // Whatever stands there for a moment is what somebody sees, or is told by a screen reader.
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

it("is at work from the sentence on, until there is a verdict", async () => {
  await person.open();
  await person.ask("Build a page");
  await person.sees("runs");
  expect(chips(await marksOf(page))).toEqual(["working", "runs"]);
});

it("says nothing after a reload before it knows what is so", async () => {
  await page.reload();
  await person.sees("runs");
  const marks = await marksOf(page);
  expect(chips(marks)).toEqual(["runs"]);
  const shown = marks.filter(({ beads }) => beads.length > 0);
  expect(shown.length).toBeGreaterThan(0);
  for (const { beads } of shown) expect(beads).not.toContain("untried");
});
