/**
 * Kills the server 500 times during a build with concurrent edits, each time at a moment that the
 * seed chooses: `node e2e/soak/crash.ts [MINUTES] [FIRST_SEED]`. Needs a build. Prints what failed,
 * and with which seed.
 */
import { openCrashes } from "../support/crash.ts";
import { numbersOf } from "../support/numbers-of.ts";

const minutes = Number(process.argv[2] ?? 10);
const first = Number(process.argv[3] ?? 1);
const end = performance.now() + minutes * 60_000;
const KILLS = 500;
/** Approximate duration of the whole build, in milliseconds. */
const SPAN = 6_000;

const print = (text: string) => process.stdout.write(`${text}\n`);
const crashes = await openCrashes();
let seed = first;
let failed = 0;
for (; seed < first + KILLS && performance.now() < end; seed++) {
  const ms = numbersOf(seed)(SPAN);
  const problems = await crashes.kill(ms).catch((error: Error) => [error.stack ?? error.message]);
  if (problems.length === 0) continue;
  failed++;
  print(`seed ${seed}, killed after ${ms} ms: ${problems.join("; ")}`);
}
await crashes.close();
print(`${seed - first} kills, seeds ${first} to ${seed - 1}, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
