/**
 * Sends a host what no guest says, and a guest what no host says: `node packages/workspace/soak/guest-frames.ts [MINUTES]
 * [FIRST_SEED]`, ten minutes by default. Needs a build. Prints the seeds it used, and what came through, crashed or grew.
 */
import { fuzzHost } from "../src/attacks/hostile-guest.ts";
import { fuzzGuest } from "../src/attacks/hostile-host.ts";

const minutes = Number(process.argv[2] ?? 10);
const first = Number(process.argv[3] ?? 1);
const end = performance.now() + minutes * 60_000;
/** What the host's side may grow by after it has run for a while. */
const GROWN = 64 * 1024 * 1024;
/** Host's runs to each of a guest, which is a process. */
const TO_EACH = 200;

let failed = 0;
let seed = first;
let started: number | undefined;
process.on("unhandledRejection", (error) => {
  console.log(`seed ${seed}: unhandled rejection`, error);
  process.exit(1);
});
const used = () => {
  globalThis.gc?.();
  return process.memoryUsage().rss;
};

for (let round = 0; performance.now() < end; round++) {
  for (let run = 0; run < TO_EACH && performance.now() < end; run++, seed++) {
    const problem = await fuzzHost(seed, 60);
    if (problem !== undefined && ++failed <= 10) console.log(`host, seed ${seed}: ${problem}`);
  }
  const problem = await fuzzGuest(seed, 200);
  if (problem !== undefined && ++failed <= 10) console.log(`guest, seed ${seed}: ${problem}`);
  if (round === 3) started = used();
}
const grown = used() - (started ?? used());
if (grown > GROWN) {
  failed++;
  console.log(`the host's side grew by ${Math.round(grown / 1024 / 1024)} MB`);
}
console.log(`seeds ${first} to ${seed - 1}, ${failed} went wrong`);
process.exit(failed === 0 ? 0 : 1);
