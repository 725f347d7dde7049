/**
 * A bench of this checkout and the same one of another, by turns: what else the machine does meets both. Each prints as it
 * does by itself; of every number that both print in the same words, the median of the rounds' ratios is told.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** A number with its unit, or after `ratio`; what stands in brackets is each of what the number is the median of. */
const NUMBER = /(?<=ratio )\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)?(?= (?:ms|s|KB|MB)\b)/g;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The numbers of what a bench printed, each by the words around it. */
function numbersOf(output) {
  const numbers = new Map();
  const lines = new Map();
  for (const line of output.split("\n")) {
    const bare = line
      .replace(/\([\d. ]+\)/g, "")
      .replace(/\s+/g, " ")
      .trim();
    const alike = bare.replace(/\d[\d,]*(?:\.\d+)?/g, "#");
    const times = (lines.get(alike) ?? 0) + 1;
    lines.set(alike, times);
    // The same words come again for another size.
    const words = times === 1 ? alike : `${alike}, line ${times}`;
    let place = 0;
    for (const [number] of bare.matchAll(NUMBER))
      numbers.set(`${words} [${++place}]`, Number(number.replaceAll(",", "")));
  }
  return numbers;
}

function runOnce(directory, name, options) {
  const file = join(directory, "bench", `${name}.bench.ts`);
  const words = [join(directory, "scripts/run24.mjs"), file, ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: directory,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, BENCH_BEFORE: "" },
  });
  if (status === 0) return numbersOf(stdout);
  throw new Error(`${file} ended with ${status}\n${stdout}\n${stderr}`);
}

/** @param before a checkout of the other version, built @param rounds how often each is run @returns whether all went well */
export function benchByTurns(name, before, rounds, options) {
  if (!existsSync(join(before, "bench", `${name}.bench.ts`))) {
    process.stderr.write(`${before} has no bench of that name.\n`);
    return false;
  }
  const taken = new Map();
  for (let round = 1; round <= rounds; round++) {
    // Whoever comes second finds what the first has warmed, so they change places.
    const order = round % 2 === 1 ? [before, root] : [root, before];
    const found = new Map();
    for (const directory of order) {
      try {
        found.set(directory, runOnce(directory, name, options));
      } catch (error) {
        process.stderr.write(`${error.message}\n`);
        return false;
      }
    }
    process.stdout.write(`round ${round} of ${rounds}\n`);
    for (const [words, now] of found.get(root)) {
      const then = found.get(before).get(words);
      if (then === undefined) continue;
      if (!taken.has(words)) taken.set(words, []);
      taken.get(words).push({ old: then, now });
    }
  }
  for (const [words, pairs] of taken) {
    const ratios = pairs.map(({ old, now: own }) => own / old);
    const [then, now] = ["old", "now"].map((key) => median(pairs.map((pair) => pair[key])));
    process.stdout.write(
      `${median(ratios).toFixed(2)}× (${ratios.map((ratio) => ratio.toFixed(2)).join(" ")})  ${then} → ${now}  ${words}\n`,
    );
  }
  return true;
}
