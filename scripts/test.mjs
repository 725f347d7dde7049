/**
 * `npm test`: everything, from a bare machine on. What the tests need (bubblewrap, a browser) is fetched first, and
 * where that fails the run fails with a sentence: nothing is skipped in silence.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import {
  ensureBuilt,
  ensureInstalled,
  fail,
  generateSources,
  node24,
  root,
  runNode,
} from "./prepare.mjs";

await ensureInstalled();
ensureBuilt();
generateSources();
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

/** How long each file took when that was last noted, in seconds. `vitest.config.ts` orders the files by it. */
const durationsFile = join(root, "scripts", "test-durations.json");
/** Files that take less are not noted. */
const QUICK_SECONDS = 2;
const LEAST_BUDGET_SECONDS = 180;
const TIMES_AS_LONG = 5;
const MOST_SECONDS = 600;

/** A fault of the product fails in most files or in the same one again; so many are not run a second time. */
const MOST_UNSTEADY_FILES = 6;

const NOTE = "--note-durations";
const words = process.argv.slice(2).filter((word) => word !== NOTE);
const first = runTests("tests.json", words);
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
const overBudget = filesOverBudget(first.testResults);
for (const sentence of overBudget) process.stdout.write(`${sentence}\n`);
if (process.argv.includes(NOTE)) noteDurations(first.testResults);
process.exit(status || (overBudget.length > 0 ? 1 : 0));

/** Seconds that a file took from its first hook to its last. */
function secondsOf({ startTime, endTime }) {
  return (endTime - startTime) / 1000;
}

function pathOf({ name }) {
  return relative(root, name);
}

/**
 * A file may take several times as long as when its duration was noted, as machines differ, and none more than
 * `MOST_SECONDS`: the longest file is the least that a whole run takes, however many workers there are.
 * @returns a sentence for each file that took longer
 */
function filesOverBudget(files) {
  const noted = JSON.parse(readFileSync(durationsFile, "utf8"));
  return files.flatMap((file) => {
    // What failed may have waited for what did not come.
    if (file.status === "failed") return [];
    const budget = Math.min(
      MOST_SECONDS,
      Math.max(LEAST_BUDGET_SECONDS, (noted[pathOf(file)] ?? 0) * TIMES_AS_LONG),
    );
    const took = Math.round(secondsOf(file));
    return took <= budget
      ? []
      : [
          `OVER BUDGET: ${pathOf(file)} took ${took} s, and may take ${budget} s. Make it quicker, or split it` +
            ` (if it rightly takes longer than it did, note that: npm test -- ${NOTE}).`,
        ];
  });
}

/** Writes how long each file took, for the order of the next runs and for their budgets. Of whole runs alone. */
function noteDurations(files) {
  const noted = files
    .filter((file) => secondsOf(file) >= QUICK_SECONDS)
    .map((file) => [pathOf(file), Math.round(secondsOf(file))]);
  noted.sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(noted), null, 2)}\n`);
}

function namesOf(files) {
  return files.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => `${relative(root, file.name)}: ${test.fullName}`),
  );
}
