/**
 * The cost of the loop in addition to the model. First the time of a step with a model that answers
 * immediately, compared with a bare `streamText` of the same prompt, tools and answer, alternately
 * in the same process. Then many concurrent runs on a server with its real store and log: the time
 * from an event's append to a reader in another process, over HTTP. `TREADLE_BENCH_RUNS` (default
 * 100) sets the number of runs.
 */
import { measureLatency } from "./loop/latency.ts";
import { measureStep } from "./loop/step.ts";

const RUNS = Number(process.env.TREADLE_BENCH_RUNS) || 100;
const print = (line: string) => process.stdout.write(`${line}\n`);
const ms = (value: number) => `${value.toFixed(2)} ms`;

for (const messages of [0, 40, 400]) {
  const { loop, bare } = await measureStep(messages);
  print(
    `a step after ${messages} messages: the loop ${ms(loop)}, bare streamText ${ms(bare)}; overhead ${ms(loop - bare)} (aim 3 ms)`,
  );
}
const { events, p50, p99, worst, seconds, lost } = await measureLatency(RUNS);
print(
  `${RUNS} runs at once: ${events} events in ${seconds.toFixed(1)} s, each to its reader in ${ms(p50)} (median), ${ms(p99)} (99th percentile, aim 100 ms), ${ms(worst)} (worst); ${lost} lost`,
);
