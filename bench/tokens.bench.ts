/**
 * Tokens of a session of 20 small changes in a React project of 40 files, the same trace in three ways: bolt.diy's
 * protocol, Cline's, and ours. Ours is the loop itself; the other two are models of their protocols (tokens/bolt.ts,
 * tokens/cline.ts say what was left out in their favour). A token is four characters; a prefix that is the same as in the
 * request before counts as cached.
 */
import { countBolt } from "./tokens/bolt.ts";
import { countCline } from "./tokens/cline.ts";
import type { Count } from "./tokens/count.ts";
import { countOurs } from "./tokens/ours.ts";
import { readTrace } from "./tokens/trace.ts";

const AIM = 1 / 5;
/** Prices relative to fresh input, as at the larger providers. */
const CACHED = 0.1;
const OUTPUT = 5;

const trace = readTrace();
const ours = await countOurs(trace);
const counts: Record<string, Count> = {
  "bolt.diy": countBolt(trace),
  Cline: countCline(trace),
  Treadle: ours,
};
const paid = ({ fresh, output }: Count) => fresh + output;
const column = (value: number | string) => String(value).padStart(10);
const print = (line: string) => process.stdout.write(`${line}\n`);

const size = Object.values(trace.files).join("").length;
print(
  `${trace.turns.length} small changes, ${Object.keys(trace.files).length} files of ${Math.round(size / 1000)} kB`,
);
print(["requests", "cached", "fresh", "output", "to pay"].map(column).join("").padStart(60));
for (const [name, count] of Object.entries(counts))
  print(
    name.padEnd(10) +
      [count.requests, count.cached, count.fresh, count.output, paid(count)].map(column).join(""),
  );
const best = Math.min(paid(counts["bolt.diy"]!), paid(counts["Cline"]!));
print(
  `fresh input and output: ${(paid(ours) / best).toFixed(2)} of the better of the two (aim ${AIM.toFixed(2)})`,
);
const money = ({ fresh, cached, output }: Count) => fresh + cached * CACHED + output * OUTPUT;
const cheapest = Math.min(money(counts["bolt.diy"]!), money(counts["Cline"]!));
print(
  `in money, a cached token at ${CACHED} and a written one at ${OUTPUT} of a fresh one: ${(money(ours) / cheapest).toFixed(2)}`,
);
const sound = ours.verdicts.filter(
  (verdict) => verdict === "verified" || verdict === "runs",
).length;
if (sound < trace.turns.length) print(`only ${sound} of the turns were seen to run`);
