/**
 * `npm test`: everything, from a bare machine on. What the tests need (bubblewrap, a browser) is fetched first, and
 * where that fails the run fails with a sentence: nothing is skipped in silence.
 */
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { ensureBuilt, ensureInstalled, fail, node24, root, runNode } from "./prepare.mjs";

ensureInstalled();
ensureBuilt();
if (runNode([join(root, "scripts", "test-needs.mjs")]) !== 0)
  fail("The tests cannot run here: what is missing is named above.");

const env = { ...process.env, NODE_ENV: "test", TREADLE_NODE: node24() };
const reports = join(root, ".cache");

/** Runs vitest and reads what it reported. @returns its exit status, and each file with its tests */
function runTests(name, words) {
  const report = join(reports, name);
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
    env,
  );
  try {
    return { status, ...JSON.parse(readFileSync(report, "utf8")) };
  } catch {
    fail("The tests ended without a report.");
  }
}

/** A fault of the product fails in most files or in the same one again; so many are not run a second time. */
const MOST_UNSTEADY_FILES = 6;

const first = runTests("tests.json", process.argv.slice(2));
const failed = first.testResults.filter((file) => file.status === "failed");
let { status } = first;
let stillFailed = first.numFailedTests;

// A test that fails among others and holds alone, a moment later, was disturbed: that is told by name, for it is a
// fault of the test or of the product all the same, and mended like one.
const again =
  failed.length > 0 && failed.length <= MOST_UNSTEADY_FILES
    ? runTests("tests-again.json", ["--maxWorkers=1", ...failed.map((file) => file.name)])
    : undefined;
if (again) {
  status = again.status;
  stillFailed = again.numFailedTests;
  const failsAgain = new Set(namesOf(again.testResults));
  for (const name of namesOf(failed))
    if (!failsAgain.has(name))
      process.stdout.write(`\nUNSTEADY, failed once and held when run again: ${name}`);
}
const passed = first.numPassedTests + first.numFailedTests - stillFailed;
process.stdout.write(
  `\n${passed} passed, ${stillFailed} failed, ${first.numPendingTests} skipped\n`,
);
process.exit(status);

function namesOf(files) {
  return files.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => `${relative(root, file.name)}: ${test.fullName}`),
  );
}
