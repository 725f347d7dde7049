/**
 * Sends a host what no guest says, and a guest what no host says: `node packages/workspace/soak/guest-frames.ts [MINUTES]
 * [FIRST_SEED]`, ten minutes by default. Needs a build. Prints the seeds it used, and what came through, crashed or grew.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { fuzzHost } from "../src/attacks/hostile-guest.ts";
import { fuzzGuest } from "../src/attacks/hostile-host.ts";

const minutes = Number(process.argv[2] ?? 10);
const first = Number(process.argv[3] ?? 1);
const end = performance.now() + minutes * 60_000;
const warm = performance.now() + minutes * 6_000;
/** What the host's side may still hold more after all of it than after its first tenth. */
const GROWN = 16 * 1024 * 1024;
/** Host's runs to each of a guest, which is a process. */
const TO_EACH = 200;

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

let failed = 0;
let seed = first;
let started: number | undefined;
process.on("unhandledRejection", (error) => {
  console.log(`seed ${seed}: unhandled rejection`, error);
  process.exit(1);
});
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
/** What is held, in bytes. What the process has of the machine goes on growing for a while with nothing in it. */
const used = () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

while (performance.now() < end) {
  for (let run = 0; run < TO_EACH && performance.now() < end; run++, seed++) {
    const problem = await fuzzHost(seed, 60);
    if (problem !== undefined && ++failed <= 10) console.log(`host, seed ${seed}: ${problem}`);
  }
  const problem = await fuzzGuest(seed, 200);
  if (problem !== undefined && ++failed <= 10) console.log(`guest, seed ${seed}: ${problem}`);
  if (performance.now() > warm) started ??= used();
}
const grown = used() - (started ?? used());
if (grown > GROWN) {
  failed++;
  console.log(`the host's side grew by ${megabytes(grown)} MB`);
}
console.log(
  `held: ${megabytes(started ?? 0)} MB after a tenth, ${megabytes(used())} MB at the end`,
);
console.log(`seeds ${first} to ${seed - 1}, ${failed} went wrong`);
process.exit(failed === 0 ? 0 : 1);
