/**
 * `npm test`: everything, from a bare machine on. What the tests need (bubblewrap, a browser) is fetched first, and
 * where that fails the run fails with a sentence: nothing is skipped in silence.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, fail, node24, root, runNode } from "./prepare.mjs";

ensureInstalled();
ensureBuilt();
if (runNode([join(root, "scripts", "test-needs.mjs")]) !== 0)
  fail("The tests cannot run here: what is missing is named above.");

const words = process.argv.slice(2);
const report = join(root, ".cache", "tests.json");
rmSync(report, { force: true });
const status = runNode(
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile=${report}`,
    ...words,
  ],
  { ...process.env, NODE_ENV: "test", TREADLE_NODE: node24() },
);

try {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  process.stdout.write(
    `\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`,
  );
} catch {
  fail("The tests ended without a report.");
}
process.exit(status);
