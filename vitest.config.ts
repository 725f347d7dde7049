import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { catalogues } from "./apps/web/catalogues/plugin.ts";
import { icons } from "./apps/web/icons/plugin.ts";
import { generateScripts } from "./packages/probe/generate.ts";

await generateScripts();

// Tests read the packages' sources, so that no build has to come first; e2e runs against the built product.
const resolve = { conditions: ["treadle-source"] };
const ssr = { resolve: { conditions: ["treadle-source"], externalConditions: ["treadle-source"] } };

/** A loaded machine is slow, not wrong: what is waited for is given the time that a test has. */
const poll = { timeout: 45_000, interval: 20 };
/** Asking a page takes 8 ms of a processor, in three processes: asked at every turn, it would keep what it waits for waiting. */
const pagePoll = { ...poll, interval: 100 };

/**
 * Seconds that each test file took in the last run that somebody noted (`npm test -- --note-durations`). Quick files are
 * left out, as files are that came since.
 */
const DURATIONS_S = JSON.parse(readFileSync("scripts/test-durations.json", "utf8")) as Record<
  string,
  number
>;
/** Of a file without a note. A browser test that is new is none of the quick ones. */
const UNNOTED_S = { e2e: 20, other: 1 };
/** Seconds of work that `--changed` takes on, over all workers: with the search for what is related, under two minutes. */
const CHANGED_S = 160;

const secondsOf = (file: TestSpecification) =>
  DURATIONS_S[relative(import.meta.dirname, file.moduleId)] ??
  (file.project.name === "e2e" ? UNNOTED_S.e2e : UNNOTED_S.other);

/**
 * The longest file first: one that takes a minute and comes last would leave the other workers without work. A worker
 * serves one project's files, and another project's need a new one, so each project's files stay together.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isChangedAlone =
      this.ctx.config.changed !== undefined && this.ctx.config.changed !== false;
    const chosen = isChangedAlone ? quickestWithin(CHANGED_S, files) : files;
    const rank = ({ project }: TestSpecification) => ["e2e", "unit"].indexOf(project.name) + 1 || 3;
    return chosen.toSorted((a, b) => rank(a) - rank(b) || secondsOf(b) - secondsOf(a));
  }
}

/** As many of the files as fit into `seconds`, and says how many do not. What was left out is `npm test`'s. */
function quickestWithin(seconds: number, files: TestSpecification[]): TestSpecification[] {
  let left = seconds;
  const chosen = files
    .toSorted((a, b) => secondsOf(a) - secondsOf(b))
    .filter((file, index) => (left -= secondsOf(file)) >= 0 || index === 0);
  const more = files.length - chosen.length;
  if (more > 0)
    process.stdout.write(`${more} longer files may be concerned as well: npm test runs them.\n`);
  return chosen;
}

/**
 * Tests that put another module in a module's place: each runs with modules of its own, the others share theirs, where
 * the one that is to be replaced may have been loaded already. Read from the files: a list by hand was forgotten once.
 */
const REPLACES_MODULES = ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.{ts,tsx}"]
  .flatMap((pattern) => globSync(pattern, { exclude: ["**/node_modules/**"] }))
  .filter((file) => /\bvi\.(?:mock|doMock)\(/.test(readFileSync(file, "utf8")));

const unit = {
  globalSetup: ["scripts/test-browser.ts"],
  setupFiles: ["apps/web/src/words/english.test-support.ts"],
  testTimeout: 90_000,
  hookTimeout: 120_000,
  expect: { poll },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Left to itself it keeps one core free. Many a test waits for something: one more than there are cores works meanwhile.
    // With four or five on two cores every processor was taken, no run was quicker, and some tests were disturbed.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        resolve,
        ssr,
        plugins: [catalogues(), icons()],
        test: {
          ...unit,
          name: "unit",
          // Loading the modules anew for each file took more than the tests themselves.
          isolate: false,
          include: [
            "packages/*/src/**/*.test.ts",
            "apps/*/src/**/*.test.{ts,tsx}",
            "apps/web/catalogues/*.test.ts",
            "bench/**/*.test.ts",
            "docs/*.test.ts",
          ],
          exclude: REPLACES_MODULES,
        },
      },
      {
        resolve,
        ssr,
        plugins: [catalogues(), icons()],
        test: { ...unit, name: "unit-alone", include: REPLACES_MODULES },
      },
      {
        resolve,
        ssr,
        test: {
          name: "e2e",
          // As above: loading the browser's driver anew for each took seconds where the machine is busy.
          isolate: false,
          globalSetup: ["scripts/test-browser.ts", "e2e/support/shared-data.ts"],
          include: ["e2e/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          expect: { poll: pagePoll },
        },
      },
    ],
  },
});
