import { defineConfig } from "vitest/config";

// Tests read the packages' sources, so that no build has to come first; e2e runs against the built product.
const resolve = { conditions: ["treadle-source"] };
const ssr = { resolve: { conditions: ["treadle-source"], externalConditions: ["treadle-source"] } };

/** A loaded machine is slow, not wrong: what is waited for is given the time that a test has. */
const poll = { timeout: 20_000, interval: 20 };

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: "unit",
          include: [
            "packages/*/src/**/*.test.ts",
            "apps/*/src/**/*.test.{ts,tsx}",
            "bench/**/*.test.ts",
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll },
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          expect: { poll },
        },
      },
    ],
  },
});
