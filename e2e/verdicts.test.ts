/**
 * Six of the projects that `npm run bench verdicts` runs, half of them through the command and half
 * through the page's own route: each gets the verdict that docs/verdict.md specifies. Skipped if
 * the cases are not available.
 */
import { describe, expect, it } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";
import { bin, cache } from "./support/treadle.ts";
import type { VerdictCase } from "./verdicts/case-types.ts";
import { isRight, readCases, scriptOf } from "./verdicts/cases.ts";
import { runByCommand, runByPage, type CaseRun } from "./verdicts/run-case.ts";

const SIX = [
  "static",
  "two-broken-2",
  "throws-after-3s",
  "redirect-loop",
  "own-404-json",
  "spa-pages-folder",
];
const AT_ONCE = 3;

const cases = (readCases() ?? []).filter(({ name }) => SIX.includes(name));
let { model, treadle } = {} as Stage;

const script = Object.fromEntries(cases.map((item) => [item.name, scriptOf(item)]));
setStage({ script, page: false }, (stage) => {
  ({ model, treadle } = stage);
});

/** Each case runs one of the two ways; the bench runs all of them both ways. */
const isOdd = (_item: VerdictCase, index: number): boolean => index % 2 === 1;

/** The unexpected results, with the given reasons. */
async function wrong(
  some: readonly VerdictCase[],
  run: (item: VerdictCase) => Promise<CaseRun>,
): Promise<string[]> {
  const waiting = [...some];
  const found: string[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = waiting.shift(); item; item = waiting.shift()) {
        const outcome = await run(item);
        if (!isRight(item.want, outcome))
          found.push(`${item.name}: ${outcome.verdict} for ${item.want}: ${outcome.summary}`);
      }
    }),
  );
  return found;
}

describe.skipIf(cases.length === 0)("six projects get their expected verdicts", () => {
  it("every other one through treadle run", async () => {
    expect(cases).toHaveLength(SIX.length);
    const run = (item: VerdictCase) => runByCommand(item, model, { bin, cache });
    expect(await wrong(cases.filter(isOdd), run)).toEqual([]);
  }, 900_000);

  it("the rest through a message to the server, as the page sends it", async () => {
    const run = (item: VerdictCase) => runByPage(item, model, treadle);
    const rest = cases.filter((item, index) => !isOdd(item, index));
    expect(await wrong(rest, run)).toEqual([]);
  }, 900_000);
});
