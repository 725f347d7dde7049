/**
 * The speeds of `@treadle/dialects`, which were part of `@treadle/protocol`. Each reader is compared with one pass over the same pieces that only searches a
 * character with `indexOf` and copies. Both run by turns, on every size in each round, so that they meet the same
 * machine. Printed are the median of the rounds, and the least time by the least pass: on a machine that others use only that
 * is of the reader. `node bench/protocol.bench.ts [WORDS]` runs only what has them in its name. With `BENCH_BEFORE`, the
 * path of a built checkout of an earlier version, every row is that version against this one instead, and this one by the least pass.
 */
import { getHeapStatistics } from "node:v8";
import { fileURLToPath } from "node:url";
import { applyEdits } from "@treadle/dialects";
import { onePass } from "./support/one-pass.ts";
import { beside } from "./support/protocol-beside.ts";
import { readersOf, type Writer } from "./support/protocol-readers.ts";

const MB = 1_048_576;
const SIZES = [0.25, 0.5, 1, 2, 8];
const PIECES = [1, 16, 1024];
const ROUNDS = 5;

let sink = 0;

const root = fileURLToPath(new URL("..", import.meta.url));
const before = process.env["BENCH_BEFORE"];
const filter = process.argv[2] ?? "";
if (before) {
  await beside(root, before, filter);
  process.exit(0);
}
const worst = { median: 0, least: 0, long: 0, growth: 0, step: 0, allocation: 0 };
console.log(
  `Time as a multiple of one indexOf-and-copy pass at ${SIZES.join(", ")} MB; growth of the least time per doubling, over all sizes and step by step; bytes allocated for a character.`,
);
for (const [reader, { make, texts }] of Object.entries(await readersOf(root, count)))
  for (const [input, textOf] of Object.entries(texts))
    if (`${reader}, ${input}`.includes(filter))
      for (const piece of PIECES) compare(`${reader}, ${input}`, make, textOf, piece);
console.log(
  `\nThe worst: ${worst.median.toFixed(1)}× at pieces of 16, least by least ${worst.least.toFixed(1)}× (aim 5) · at pieces of 1,024, least by least ${worst.long.toFixed(1)}× (aim 10) · time grows ${worst.growth.toFixed(2)} per doubling over all sizes (aim 2.1), ${worst.step.toFixed(2)} in a single step · allocation grows ${worst.allocation.toFixed(2)} per doubling (linear is 2)`,
);
edits();

function compare(
  name: string,
  make: () => Writer,
  textOf: (size: number) => string,
  piece: number,
): void {
  const sizes = SIZES.map((size) => ({
    size,
    pieces: cut(textOf(size * MB), piece),
    passes: [] as number[],
    times: [] as number[],
  }));
  for (let round = 0; round < ROUNDS; round++)
    for (const { size, pieces, passes, times } of sizes) {
      // Short ones more often: one interruption is more of them.
      for (let turn = 0; turn < 2 / size; turn++) {
        passes.push(timeOf(() => (sink += onePass(pieces))));
        times.push(timeOf(() => readAll(make(), pieces)));
      }
    }
  const ratios = sizes.map(({ passes, times }) =>
    median(times.map((time, turn) => time / passes[turn]!)),
  );
  const least = sizes.map(({ passes, times }) => Math.min(...times) / Math.min(...passes));
  const growths = sizes.slice(1).map(({ size, times }, index) => {
    const before = sizes[index]!;
    return perDoubling(Math.min(...times) / Math.min(...before.times), size / before.size);
  });
  const range = SIZES.at(-1)! / SIZES[0]!;
  const growth = perDoubling(
    Math.min(...sizes.at(-1)!.times) / Math.min(...sizes[0]!.times),
    range,
  );
  const allocated = sizes.map(({ pieces }) => allocatedBy(make(), pieces));
  const bytes = allocated.map((sum, index) => sum / (SIZES[index]! * MB));
  const allocation = perDoubling(allocated.at(-1)! / allocated[0]!, range);
  if (piece === 16) {
    worst.median = Math.max(worst.median, ...ratios);
    worst.least = Math.max(worst.least, ...least);
  }
  if (piece === 1_024) worst.long = Math.max(worst.long, ...least);
  worst.growth = Math.max(worst.growth, growth);
  worst.step = Math.max(worst.step, ...growths);
  worst.allocation = Math.max(worst.allocation, allocation);
  console.log(
    `${name}, pieces of ${piece}: ${list(ratios, 1)}× (least by least ${list(least, 1)}; 8 MB in ${median(sizes.at(-1)!.times).toFixed(0)} ms) · growth ${growth.toFixed(2)} (${list(growths, 2)}) · ${list(bytes, 0)} B/char, ${allocation.toFixed(2)} per doubling`,
  );
}

function readAll(writer: Writer, pieces: readonly string[]): void {
  for (const part of pieces) writer.write(part);
  writer.end();
}

function timeOf(body: () => void): number {
  const start = performance.now();
  body();
  return performance.now() - start;
}

/** Bytes allocated: the heap's growth from look to look; where it shrank, it was collected. */
function allocatedBy(writer: Writer, pieces: readonly string[]): number {
  let sum = 0;
  let last = getHeapStatistics().used_heap_size;
  const look = () => {
    const now = getHeapStatistics().used_heap_size;
    sum += Math.max(0, now - last);
    last = now;
  };
  for (const [index, part] of pieces.entries()) {
    writer.write(part);
    if (index % 256 === 0) look();
  }
  writer.end();
  look();
  return sum;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function perDoubling(growth: number, sizes: number): number {
  return growth ** (1 / Math.log2(sizes));
}

function list(values: readonly number[], digits: number): string {
  return values.map((value) => value.toFixed(digits)).join(" ");
}

function edits(): void {
  const lines = Array.from(
    { length: 20_000 },
    (_, at) => `        const value${at} = read(${at});`,
  );
  const original = `${lines.join("\n")}\n`;
  const blocks = Array.from({ length: 40 }, (_, index) => {
    const at = index * 487 + 100;
    const old = lines.slice(at, at + 6).map((line) => line.slice(4));
    return { old: `${old.join("\n")}\n`, new: `${old.join("\n").replaceAll("read", "load")}\n` };
  });
  const times = Array.from({ length: 15 }, () =>
    timeOf(() => {
      const result = applyEdits(original, blocks);
      if (!result.ok || result.applied !== 40) throw new Error("the edits were not applied");
      sink += result.content.length;
    }),
  );
  console.log(
    `\napplyEdits, 40 indent-drift blocks on 20,000 lines (${(original.length / MB).toFixed(1)} MB): ${median(times).toFixed(1)} ms, ${times[0]!.toFixed(1)} ms the first time`,
  );
}

function count(): void {
  sink++;
}

function cut(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

if (sink === 0) throw new Error("nothing was read");
