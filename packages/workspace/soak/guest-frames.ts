/**
 * Sends a host what no guest says, and a guest what no host says: `node packages/workspace/soak/guest-frames.ts [MINUTES]
 * [FIRST_SEED]`, ten minutes by default. Needs a build. Prints the seeds it used, how many frames went each way, and what
 * came through, crashed or grew.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { fuzzHost, type Fuzzed } from "../src/attacks/hostile-guest.ts";
import { createOddHost, fuzzGuest } from "../src/attacks/hostile-host.ts";

const minutes = Number(process.argv[2] ?? 10);
const first = Number(process.argv[3] ?? 1);
const end = performance.now() + minutes * 60_000;
const warm = performance.now() + minutes * 6_000;
/** What either side may hold more after all of it than after its first tenth. The guest's is what the machine gave it. */
const GROWN = { host: 16 * 1024 * 1024, guest: 64 * 1024 * 1024 };
/** Host's runs to each of a guest, which is a process. */
const TO_EACH = 200;

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

let failed = 0;
let seed = first;
const frames = { host: 0, guest: 0 };
let guests = 1;
let started: { host: number; guest: number } | undefined;
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
function count(side: "host" | "guest", { frames: sent, problem }: Fuzzed): void {
  frames[side] += sent;
  if (problem !== undefined && ++failed <= 10) console.log(`${side}, seed ${seed}: ${problem}`);
}

/** One guest is asked the whole time: a new one each time would show no growth. */
const lasting = await createOddHost(first);
while (performance.now() < end) {
  for (let run = 0; run < TO_EACH && performance.now() < end; run++, seed++)
    count("host", await fuzzHost(seed, 60));
  count("guest", await fuzzGuest(seed, 200));
  guests++;
  const asked = await lasting.ask(1_000);
  count("guest", asked);
  if (asked.problem !== undefined) break;
  if (performance.now() > warm) started ??= { host: used(), guest: lasting.memory() };
}
const held = { host: used(), guest: lasting.memory() };
for (const side of ["host", "guest"] as const) {
  const before = started?.[side] ?? held[side];
  console.log(
    `${side}: ${frames[side]} frames; ${megabytes(before)} MB after a tenth, ${megabytes(held[side])} MB at the end`,
  );
  if (held[side] - before <= GROWN[side]) continue;
  failed++;
  console.log(`the ${side}'s side grew by ${megabytes(held[side] - before)} MB`);
}
count("guest", await lasting.endByNoise());
lasting.end();
console.log(`${guests} guests, seeds ${first} to ${seed - 1}, ${failed} went wrong`);
process.exit(failed === 0 ? 0 : 1);
