/**
 * A dozen of the projects that `npm run bench verdicts` runs, through the command and through the page's own route: each
 * gets the verdict that docs/verdict.md gives it. Where the cases are not at hand there is nothing to run.
 */
import { describe, expect, it } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";
import { bin, cache } from "./support/treadle.ts";
import { isRight, readCases, scriptOf, type VerdictCase } from "./verdicts/cases.ts";
import { runByCommand, runByPage, type CaseRun } from "./verdicts/run-case.ts";

const DOZEN = [
  "static",
  "canvas-2d-only",
  "two-good-2",
  "two-broken-2",
  "api-fix-beside-vite",
  "throws-after-3s",
  "redirect-loop",
  "own-404-json",
  "console-error-validation",
  "public-api-axios-like",
  "dev-writes-log",
  "spa-pages-folder",
];
const AT_ONCE = 3;

const cases = (readCases() ?? []).filter(({ name }) => DOZEN.includes(name));
let { model, treadle } = {} as Stage;

const script = Object.fromEntries(cases.map((item) => [item.name, scriptOf(item)]));
setStage({ script, page: false }, (stage) => {
  ({ model, treadle } = stage);
});

/** What came out otherwise than it has to, with the reason that was given. */
async function wrong(run: (item: VerdictCase) => Promise<CaseRun>): Promise<string[]> {
  const waiting = [...cases];
  const found: string[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = waiting.shift(); item; item = waiting.shift()) {
        const came = await run(item);
        if (!isRight(item.want, came))
          found.push(`${item.name}: ${came.verdict} for ${item.want}: ${came.summary}`);
      }
    }),
  );
  return found;
}

describe.skipIf(cases.length === 0)(
  "a dozen projects, each with the verdict that it has to get",
  () => {
    it("by treadle run", async () => {
      expect(cases).toHaveLength(DOZEN.length);
      expect(await wrong((item) => runByCommand(item, model, { bin, cache }))).toEqual([]);
    }, 900_000);

    it("by a message to the server, as the page sends it", async () => {
      expect(await wrong((item) => runByPage(item, model, treadle))).toEqual([]);
    }, 900_000);
  },
);
