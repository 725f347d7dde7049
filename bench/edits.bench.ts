/**
 * The speeds of what changes files in `@treadle/protocol`. Each is compared with one pass over the same file, in the same
 * run, that splits it into lines, puts them into a Map and joins them again. Prints milliseconds, ratios, and the growth
 * of time per doubling of file and edits together: 2 is linear.
 */
import { applyEdits, type Edit } from "@treadle/dialects";
import { formatModifications } from "@treadle/dialects/modifications";
import { applyPatch } from "@treadle/dialects/apply-patch";
import { createEditApplier } from "@treadle/dialects/edits";
import { createSearchReplaceReader, formatSearchReplace } from "@treadle/dialects/search-replace";
import { formatUnifiedDiff } from "@treadle/dialects/diff";

const LINES = [5_000, 10_000, 20_000, 40_000];
/** Lines per edit. */
const EVERY = 20;
const ROUNDS = 7;

let sink = 0;

type Spoil = (lines: string[]) => string;
const SPELLINGS: Record<string, Spoil> = {
  "exact blocks of six lines": (lines) => `${lines.join("\n")}\n`,
  "indent-drift blocks of six lines": (lines) => `${lines.map((line) => line.slice(4)).join("\n")}\n`, // prettier-ignore
  "blocks with other spaces inside": (lines) => `${lines.map((line) => line.slice(4).replace(" = ", "=")).join("\n")}\n`, // prettier-ignore
  "single lines": ([line]) => `${line}\n`,
  "parts of lines": ([line]) => line!.trim(),
};

console.log("applyEdits, one edit for every 20 lines, as a multiple of one split-and-join pass");
for (const [name, spoil] of Object.entries(SPELLINGS))
  grow(name, (lines, text) => {
    const edits = editsOf(lines, EVERY, spoil);
    return () => {
      const result = applyEdits(text, edits);
      if (!result.ok) throw new Error(JSON.stringify(result.failures[0]));
      sink += result.content.length;
    };
  });

console.log("\nSEARCH/REPLACE text in pieces of 16 characters, applied block by block");
grow("indent-drift blocks", (lines, text) => {
  const blocks = formatSearchReplace(
    editsOf(lines, EVERY, SPELLINGS["indent-drift blocks of six lines"]!),
  );
  const pieces = blocks.match(/[^]{1,16}/g) ?? [];
  return () => {
    const applier = createEditApplier(text);
    const reader = createSearchReplaceReader({ onEdit: (edit) => sink++ && applier.apply(edit) });
    for (const piece of pieces) reader.write(piece);
    const ended = reader.end();
    const result = applier.finish();
    if (!ended.ok || !result.ok) throw new Error("the blocks were not applied");
  };
});

console.log("\ndiffs, one change for every 20 lines");
grow("formatUnifiedDiff", (lines, text) => {
  const after = changed(lines);
  return () => (sink += formatUnifiedDiff(text, after).length);
});
grow("formatModifications", (lines, text) => {
  const after = changed(lines);
  return () => (sink += formatModifications([{ path: "a.ts", before: text, after }]).length);
});
grow("applyPatch, line numbers off by three", (lines, text) => {
  const diff = `--- a/a.ts\n+++ b/a.ts\n${formatUnifiedDiff(text, changed(lines))}`;
  const moved = `one\ntwo\nthree\n${text}`;
  return () => {
    const result = applyPatch({ "a.ts": moved }, diff);
    if (!result.ok) throw new Error(result.error);
    sink += result.files["a.ts"]!.length;
  };
});

aim();

/** The aim: 40 blocks with drifted indentation in a file of 20,000 lines in less than 50 ms. */
function aim(): void {
  const lines = linesOf(20_000);
  const text = `${lines.join("\n")}\n`;
  const edits = editsOf(lines, 500, SPELLINGS["indent-drift blocks of six lines"]!);
  const wrong = edits.map((edit) => ({ ...edit, old: edit.old.replaceAll("value", "valeu") }));
  const applied = timesOf(() => {
    const result = applyEdits(text, edits);
    if (!result.ok || result.applied !== 40) throw new Error("the edits were not applied");
  });
  const refused = timesOf(() => {
    const result = applyEdits(text, wrong);
    if (result.ok || result.failures.some(({ nearest }) => nearest === undefined))
      throw new Error("the edits were not refused with what is nearest");
  });
  console.log(
    `\n40 indent-drift blocks on 20,000 lines (${(text.length / 1_048_576).toFixed(1)} MB): ${spreadOf(applied)}; 40 that do not fit, refused with the nearest lines: ${spreadOf(refused)}`,
  );
}

function spreadOf(times: readonly number[]): string {
  return `${Math.min(...times).toFixed(1)} ms, ${times[0]!.toFixed(1)} ms the first time`;
}

function grow(name: string, prepare: (lines: string[], text: string) => () => void): void {
  const cells: string[] = [];
  const all: number[] = [];
  for (const count of LINES) {
    const lines = linesOf(count);
    const text = `${lines.join("\n")}\n`;
    const body = prepare(lines, text);
    // Alternately, so that both run under the same load; the minimum of each, because disturbances
    // only add time.
    let pass = Number.POSITIVE_INFINITY;
    let time = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      pass = Math.min(
        pass,
        timeOf(() => onePass(text)),
      );
      time = Math.min(time, timeOf(body));
    }
    all.push(time);
    cells.push(`${count} lines ${(time / pass).toFixed(1)}× (${time.toFixed(1)} ms)`);
  }
  const growth = (all.at(-1)! / all[0]!) ** (1 / (all.length - 1));
  console.log(`  ${name}: ${cells.join(" · ")} · growth per doubling ${growth.toFixed(2)}`);
}

function onePass(text: string): void {
  const lines = text.split("\n");
  const known = new Map<string, number>();
  for (const [at, line] of lines.entries()) known.set(line, at);
  sink += known.size + lines.join("\n").length;
}

function linesOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    at % 7 === 6 ? "        }" : `        const value${at} = read(${at}, other);`,
  );
}

function editsOf(lines: readonly string[], every: number, spoil: Spoil): Edit[] {
  return Array.from({ length: Math.floor(lines.length / every) }, (_, index) => {
    const at = Math.floor((index * every + 7) / 7) * 7;
    const old = spoil(lines.slice(at, at + 6));
    return { old, new: old.replaceAll("read", "load") };
  });
}

function changed(lines: readonly string[]): string {
  return lines.map((line, at) => `${at % EVERY === 0 ? `${line} // new` : line}\n`).join("");
}

function timesOf(body: () => void): number[] {
  return Array.from({ length: 15 }, () => timeOf(body));
}

function timeOf(body: () => void): number {
  const start = performance.now();
  body();
  return performance.now() - start;
}

if (sink === 0) throw new Error("nothing was changed");
