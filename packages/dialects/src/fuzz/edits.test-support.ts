/** Checks for everything that changes files: edits, blocks, patches, modifications. */
import { applyHunks, applyPatch } from "../apply-patch/apply.ts";
import { parsePatch } from "../apply-patch/parse.ts";
import { parseHunks } from "../apply-patch/parse-unified-diff.ts";
import { formatUnifiedDiff } from "../diff/format-unified-diff.ts";
import { applyEdits, createEditApplier } from "../edits/apply.ts";
import { findPlaces } from "../edits/find-places.ts";
import { createTextFile } from "../edits/text-file.ts";
import type { Edit } from "../edits/types.ts";
import { differs, mangle, Random } from "./random.test-support.ts";
import { applyModification, parseModifications } from "../modifications/parse.ts";
import { formatModifications } from "../modifications/serialize.ts";
import type { FileModification } from "../modifications/types.ts";
import { createSearchReplaceReader, parseSearchReplace } from "../search-replace/parse.ts";
import { formatSearchReplace } from "../search-replace/serialize.ts";

const LINES = [
  "import { a } from 'a';", "const value = 1;", "function go(first, second) {", "  return first + second;", "}",
  "", "    if (ready) {", "\tindented();", "  // a comment", '<p className="x">text</p>', "  retries: 3,", "x", "  ",
]; // prettier-ignore

/**
 * Exact edits are literal; a rejection changes nothing; line endings and mark are kept; another
 * word is rejected.
 */
export function checkEdits(seed: number): string | undefined {
  const random = new Random(seed);
  const lines = Array.from({ length: 1 + random.below(14) }, (_, at) =>
    random.below(3) === 0 ? `line_${at}(${at});` : random.pick(LINES),
  );
  const ending = random.pick(["\n", "\r\n"]);
  const mark = random.below(4) === 0 ? "\ufeff" : "";
  const original = mark + lines.join(ending) + (random.below(2) === 0 ? ending : "");
  const from = random.below(lines.length);
  const to = Math.min(lines.length, from + 1 + random.below(4));
  const drift = random.pick(["", "", "  ", "\t"]);
  const old = lines.slice(from, to).map((line) => drift + line).join("\n") + random.pick(["", "\n"]); // prettier-ignore
  const fresh = random.text(["fresh();", "\n", "    ", "other", "$&", "$1"], 6);
  const result = applyEdits(original, [{ old, new: fresh }]);
  if (!result.ok) {
    if (result.content !== original) return "a refusal changed the file";
    if (result.failures.length !== 1) return "a refusal has not one failure";
    const { nearest } = result.failures[0]!;
    if (nearest !== undefined && !original.replaceAll("\r\n", "\n").includes(nearest))
      return "the nearest lines are not the file's";
  } else {
    const wrong = endingsKept(original, result.content);
    if (wrong) return wrong;
    const plain = original.replaceAll("\r\n", "\n");
    const at = plain.indexOf(old);
    if (at !== -1 && plain.indexOf(old, at + 1) === -1) {
      const expected = plain.slice(0, at) + fresh + plain.slice(at + old.length);
      if (result.content.replaceAll("\r\n", "\n") !== expected)
        return "an exact edit is not literal";
    }
  }
  const other = applyEdits(original, [{ old: old.replace(/[\w$]+/, "elsewhere9"), new: fresh }]);
  if (/[\w$]/.test(old) && other.ok) return "another word was taken for it";
  return undefined;
}

function endingsKept(original: string, content: string): string | undefined {
  if (original.startsWith("\ufeff") !== content.startsWith("\ufeff")) return "the mark changed";
  if (original.includes("\r\n") && /(?:^|[^\r])\n/.test(content)) return "a bare line feed came in";
  if (!original.includes("\r\n") && content.includes("\r")) return "a carriage return came in";
  return undefined;
}

/** Lines that remain distinct under any tolerance. */
const UNIQUE: ((id: string) => string)[] = [
  (id) => `const ${id} = read("${id}", 'x');`,
  (id) => `  if (!${id} && a <= b) {`,
  (id) => `\t\treturn ${id} - 1;`,
  (id) => `    ${id}: [1, 2],`,
  (id) => `  <b className="${id}">“${id}” – it’s</b>`,
  (id) => `        ${id}(first,   second);  `,
  (id) => `}; // ${id}`,
];

/** Mistakes that models make when they copy a line, which are tolerated. */
const SLIPS: ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trim(),
  (line) => `    ${line}`,
  (line) => line.trimEnd(),
  (line) => line.replaceAll("'", '"'),
  (line) => line.replace(/[“”]/g, '"').replaceAll("’", "'").replaceAll("–", "-"),
  (line) => line.replace(/ {2,}/g, " "),
  (line) => line.replace(/,\s*$/, ""),
  (line) => line.replaceAll('"', '\\"'),
];

/** Changes that make a line different, which must be rejected. */
const LIES: ((line: string) => string)[] = [
  (line) => line.replace(/\d/, "$&07"),
  (line) => line.replace("!", ""),
  (line) => line.replace("<=", "<"),
  (line) => line.replace(" - ", " + "),
  (line) => line.replace("first", "frist"),
  (line) => line.replace("&&", "||"),
  (line) => line.replace(/[a-z](?=[^a-z]*$)/, ""),
];

/**
 * Tolerant edits of several places at once, in any order: every other byte is kept, all are
 * applied, and none if one of them is wrong.
 */
export function checkForgiveness(seed: number): string | undefined {
  const random = new Random(seed);
  const endings = random.pick([["\n"], ["\r\n"], ["\n", "\r\n"]]);
  const lines: { text: string; end: string }[] = [];
  for (let at = 0, count = 3 + random.below(20); at < count; at++) {
    const text = random.below(5) === 0 ? "" : random.pick(UNIQUE)(`name${at}x`);
    lines.push({ text, end: random.pick(endings) });
  }
  if (random.below(2) === 0) lines.at(-1)!.end = "";
  const mark = random.below(4) === 0 ? "\ufeff" : "";
  const original = mark + lines.map(({ text, end }) => text + end).join("");
  const edits: Edit[] = [];
  const literals: string[] = [mark];
  let unnamed = "";
  for (let at = 0; at < lines.length;) {
    const height = 1 + random.below(3);
    const place = lines.slice(at, at + height);
    const named = random.below(3) === 0 && place.every(({ text }) => text !== "");
    if (named) {
      const slip = random.pick(SLIPS);
      const body = place.map(({ text }) => slip(text)).join("\n");
      const own = random.below(8) === 0 ? "\ufeff" : "";
      edits.push({ old: `${own}${body}\n`, new: `${own}fresh${at}();\nmore${at}();\n` });
      literals.push(unnamed);
      unnamed = "";
    } else unnamed += place.map(({ text, end }) => text + end).join("");
    at += height;
  }
  literals.push(unnamed);
  shuffle(random, edits);
  const result = applyEdits(original, edits);
  if (!result.ok) return `refused: ${JSON.stringify(result.failures)}`;
  if (result.applied !== edits.length) return "not every edit was applied";
  let at = 0;
  for (const [index, part] of literals.entries()) {
    const found = result.content.indexOf(part, at);
    if (found === -1) return `changed outside the places: ${JSON.stringify(part)} is gone`;
    if (index === 0 && found !== 0) return "something came in at the beginning";
    at = found + part.length;
  }
  if (!result.content.endsWith(literals.at(-1)!)) return "the end changed";
  if (result.content.includes("\ufeff", mark.length)) return "a byte-order mark came in";
  const gone = result.content.match(/(?:fresh|more)\d+\(\);/g)?.length ?? 0;
  if (gone !== edits.length * 2) return "what was to be put in is not there";
  if (edits.length === 0) return undefined;
  const lied = edits.map((edit) => ({ ...edit }));
  const liar = random.pick(lied);
  liar.old = random.pick(LIES)(liar.old);
  if (edits.some(({ old }) => old === liar.old)) return undefined;
  const refused = applyEdits(original, lied);
  if (refused.ok || refused.content !== original) return `a lie was taken: ${liar.old}`;
  return undefined;
}

function shuffle<T>(random: Random, items: T[]): void {
  for (let at = items.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [items[at], items[other]] = [items[other]!, items[at]!];
  }
}

const WORDS = ["foo", "bar", "f", " ", " ", ".", "(", ");", "\n", "\n", "  ", "é", "{", "}", "x1"];

/** The fast searches find the same places as a search from character to character. */
export function checkPlaces(seed: number): string | undefined {
  const random = new Random(seed);
  const text = random.text(WORDS, 60);
  const from = random.below(text.length + 1);
  const old = text.slice(from, from + 1 + random.below(20));
  if (old === "") return undefined;
  const expected: number[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + 1)) expected.push(at);
  const listed = createTextFile(text);
  listed.searches = 1_000;
  for (const file of [createTextFile(text), listed]) {
    const found = findPlaces(file, old, true).places.map(({ characters }) => characters.from);
    const wrong = differs(found, expected);
    if (wrong) return `${JSON.stringify(old)}: ${wrong}`;
  }
  const goesOn = (at: number) => /[\w$]{2}/.test(text.slice(Math.max(0, at - 1), at + 1));
  const words = expected.filter((at) => !goesOn(at) && !goesOn(at + old.length));
  const places = findPlaces(createTextFile(text), old, false).places;
  const exact = places.filter(({ loose }) => !loose).map(({ characters }) => characters.from);
  return differs(exact, words);
}

/** Edits one by one give the same as edits together, and each failure is reported at once. */
export function checkApplier(seed: number): string | undefined {
  const random = new Random(seed);
  const original = random.text(WORDS, 40);
  const edits = Array.from({ length: random.below(6) }, () => {
    const from = random.below(original.length + 1);
    const old = original.slice(from, from + random.below(12)) + random.pick(["", "", "no"]);
    return { old, new: random.text(WORDS, 4), all: random.below(4) === 0 ? true : undefined };
  });
  const applier = createEditApplier(original);
  const failures = edits.flatMap((edit) => applier.apply(edit) ?? []);
  const result = applier.finish();
  const wrong = differs(applyEdits(original, edits), result);
  if (wrong) return wrong;
  return result.ok ? differs(failures, []) : differs(failures, result.failures);
}

export function checkSearchReplace(seed: number): string | undefined {
  const random = new Random(seed);
  const block = () => random.text(["code", "\n", "=======", "  ", "------- SEARCH", "x = 1\n"], 8).replace(/[^\n]$/, "$&\n"); // prettier-ignore
  const edits = Array.from({ length: 1 + random.below(3) }, () => ({ old: block(), new: block() }));
  const text = `before\n${formatSearchReplace(edits)}after\n`;
  const parsed = parseSearchReplace(text);
  const wrong = differs(parsed, { ok: true, edits });
  if (wrong) return wrong;
  const garbled = mangle(random, text);
  const streamed: unknown[] = [];
  const reader = createSearchReplaceReader({ onEdit: (edit) => streamed.push(edit) });
  for (const piece of random.cut(garbled)) reader.write(piece);
  const ended = reader.end();
  const atOnce = parseSearchReplace(garbled);
  return differs(ended.ok ? { ok: true, edits: streamed } : ended, atOnce);
}

/**
 * A diff leads from one text to the other, even if its lines have moved; a corrupted one does not
 * throw.
 */
export function checkPatch(seed: number): string | undefined {
  const random = new Random(seed);
  const file = () => random.text(["a\n", "b\n", "c\n", "d", "\r\n", "e\n", "\n", "\ufeff"], 16);
  const before = file();
  const after = file();
  const diff = formatUnifiedDiff(before, after);
  const wrong = differs(applyHunks(before, parseHunks(diff)), { ok: true, content: after });
  if (wrong) return wrong;
  const applied = applyPatch({ "a b": before }, `--- a/a b\n+++ b/a b\n${diff}`);
  if (diff !== "" && applied.ok && applied.files["a b"] !== after) return "the patch does what it should not"; // prettier-ignore
  applyHunks(before, parseHunks(mangle(random, diff)));
  const text = mangle(
    random,
    `*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** Add File: g\n+x\n*** End Patch\n`,
  );
  const files = { f: before };
  const result = applyPatch(files, text);
  if (!result.ok && files.f !== before) return "a patch changed the map it was given";
  const parsed = parsePatch(text);
  return parsed.ok ? differs(applyPatch(files, parsed.patch), result) : undefined;
}

/** A hunk finds its lines despite wrong line numbers, and in a file with other line endings. */
export function checkMovedPatch(seed: number): string | undefined {
  const random = new Random(seed);
  const lines = Array.from({ length: 6 + random.below(20) }, (_, at) =>
    random.pick(UNIQUE)(`name${at}x`),
  );
  const changed = [...lines];
  const at = random.below(lines.length);
  changed.splice(at, random.below(3), ...random.pick([[], ["put_in();"], ["one();", "", "two();"]])); // prettier-ignore
  const join = (all: readonly string[], ending = "\n") => all.map((line) => line + ending).join("");
  const diff = formatUnifiedDiff(join(lines), join(changed));
  if (diff === "") return undefined;
  const lead = Array.from({ length: random.below(5) }, (_, index) => `lead ${index}`);
  const ending = random.pick(["\n", "\r\n"]);
  const moved = applyHunks(join([...lead, ...lines], ending), parseHunks(diff));
  const expected = join([...lead, ...changed], ending);
  if (changed.length > 1 && /^[ -]/m.test(diff.replace(/^@@.*$/gm, "")))
    return differs(moved, { ok: true, content: expected });
  return undefined;
}

/** Formatted modifications are parsed back, and lead from the old files to the new ones. */
export function checkModifications(seed: number): string | undefined {
  const random = new Random(seed);
  const parts = ["a\n", "b\n", "</file>", "</diff>\n", "<file path='x'>\n", "c".repeat(40), "\n", "é", "\r\n"]; // prettier-ignore
  const text = () => (random.below(5) === 0 ? undefined : random.text(parts, 14));
  const changes = Array.from({ length: random.below(4) }, (_, index): FileModification => {
    const before = text();
    const after = text();
    return {
      path: `${index} <"&'>.ts`,
      before,
      after,
      binary: random.below(6) === 0 ? true : undefined,
    };
  });
  const formatted = formatModifications(changes);
  const read = parseModifications(`so: ${formatted}\nand so on`);
  const expectedChanges = changes.filter(({ before, after, binary }) => binary || after === undefined || before !== after); // prettier-ignore
  if (read.length !== expectedChanges.length)
    return `read ${read.length} of ${expectedChanges.length}`;
  for (const [index, { path, before, after, binary }] of expectedChanges.entries()) {
    const one = read[index]!;
    if (one.path !== path) return `the path came back as ${one.path}`;
    if (binary || after === undefined) {
      if (one.type !== (binary ? "binary" : "deleted")) return `said as ${one.type}`;
      continue;
    }
    const wrong = differs(applyModification(before, one), { ok: true, content: after });
    if (wrong) return wrong;
    const diff = formatUnifiedDiff(before ?? "", after);
    const least = Math.min(diff.length, after.length);
    if ("content" in one && one.content.length > least && !/^<\/file>/m.test(after))
      return "not the shorter one";
  }
  parseModifications(mangle(random, formatted));
  return undefined;
}

export const EDIT_CHECKS = {
  checkEdits,
  checkForgiveness,
  checkPlaces,
  checkApplier,
  checkSearchReplace,
  checkPatch,
  checkMovedPatch,
  checkModifications,
};
