/**
 * Makes every write of a recorded session fail, once and permanently, like a full, a failing and a
 * read-only disk: `node packages/server/soak/disk.ts [MINUTES] [FIRST]`. Needs a build and a C
 * compiler. Ends when every write was tried, or the time is over; prints each problem with the
 * number of its write.
 */
import {
  ALWAYS,
  DISK_ERRORS,
  faultOf,
  noFaults,
  openFaultyDisk,
} from "../src/faulty-disk.test-support.ts";

const minutes = Number(process.argv[2] ?? 10);
const first = Number(process.argv[3] ?? 1);
const end = performance.now() + minutes * 60_000;
/** Number of sessions per process. */
const TOGETHER = 20;

if (noFaults !== undefined) {
  console.log(`No disk can be made to fail here: ${noFaults}.`);
  process.exit(1);
}
const disk = openFaultyDisk();
const [undisturbed] = await disk.try([faultOf(0, 0, "EIO")]);
const calls = undisturbed?.calls ?? 0;
const faults = Array.from({ length: calls + 1 - first }, (_, index) => first + index).flatMap(
  (at) => DISK_ERRORS.flatMap((error) => [faultOf(at, 1, error), faultOf(at, ALWAYS, error)]),
);
let tried = 0;
let failed = 0;
while (tried < faults.length && performance.now() < end) {
  for (const { fault, problems } of await disk.try(faults.slice(tried, tried + TOGETHER))) {
    if (problems.length === 0) continue;
    failed++;
    if (failed <= 20) console.log(`${fault}: ${problems.join("; ").slice(0, 600)}`);
  }
  tried = Math.min(faults.length, tried + TOGETHER);
}
disk.remove();
console.log(
  `${tried} of ${faults.length} faults at ${calls} writes, from write ${first}, ${failed} failed`,
);
process.exit(failed === 0 ? 0 : 1);
