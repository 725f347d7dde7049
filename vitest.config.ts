import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Tests read the packages' sources, so that no build has to come first; e2e runs against the built product.
const resolve = { conditions: ["treadle-source"] };
const ssr = { resolve: { conditions: ["treadle-source"], externalConditions: ["treadle-source"] } };

/** A loaded machine is slow, not wrong: what is waited for is given the time that a test has. */
const poll = { timeout: 45_000, interval: 20 };

/** Where the files are that take longest: they start servers, sandboxes and browsers. */
const LONG = ["/e2e/", "/workspace/src/local/", "/server/src/browser/", "/server/src/gateway/"];

/** One that takes minutes and comes last would leave the other workers without work. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG.some((part) => moduleId.includes(part));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * Tests that put another module in a module's place: each runs with modules of its own, the others share theirs, where
 * the one that is to be replaced may have been loaded already. Read from the files: a list by hand was forgotten once.
 */
const REPLACES_MODULES = ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.{ts,tsx}"]
  .flatMap((pattern) => globSync(pattern, { exclude: ["**/node_modules/**"] }))
  .filter((file) => /\bvi\.(?:mock|doMock)\(/.test(readFileSync(file, "utf8")));

const unit = {
  setupFiles: ["apps/web/src/words/english.test-support.ts"],
  testTimeout: 90_000,
  hookTimeout: 120_000,
  expect: { poll },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    // Left to itself it keeps one core free. Many a test waits for something: one more than there are cores works meanwhile.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        resolve,
        ssr,
        test: {
          ...unit,
          name: "unit",
          // Loading the modules anew for each file took more than the tests themselves.
          isolate: false,
          include: [
            "packages/*/src/**/*.test.ts",
            "apps/*/src/**/*.test.{ts,tsx}",
            "bench/**/*.test.ts",
            "docs/*.test.ts",
          ],
          exclude: REPLACES_MODULES,
        },
      },
      { resolve, ssr, test: { ...unit, name: "unit-alone", include: REPLACES_MODULES } },
      {
        resolve,
        ssr,
        test: {
          name: "e2e",
          // As above: loading the browser's driver anew for each took seconds where the machine is busy.
          isolate: false,
          include: ["e2e/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          expect: { poll },
        },
      },
    ],
  },
});
