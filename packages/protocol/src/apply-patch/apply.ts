import { findRuns } from "../edits/find-runs.ts";
import { lineKey } from "../edits/keys.ts";
import { applyExactly } from "./apply-exactly.ts";
import { parsePatch } from "./parse.ts";
import type { ApplyPatchResult, Patch, PatchHunk, PatchOperation } from "./types.ts";

/**
 * Applies a patch to a map of files, all or nothing: on any failure no file changes. The given map is not touched.
 * A hunk must fit one place behind the hunk before it; white space and typographic quotes and dashes are forgiven.
 * @param patch the text, or what `parsePatch` made of it.
 */
export function applyPatch(
  files: Readonly<Record<string, string>>,
  patch: string | Patch,
): ApplyPatchResult {
  const parsed = typeof patch === "string" ? parsePatch(patch) : { ok: true as const, patch };
  if (!parsed.ok) return parsed;
  // A Map, because a file may be called `__proto__`.
  const result = new Map(Object.entries(files));
  for (const operation of parsed.patch.operations) {
    const problem = applyOperation(result, operation);
    if (problem !== undefined) return { ok: false, error: `${operation.path}: ${problem}.` };
  }
  return { ok: true, files: Object.fromEntries(result) };
}

/** What is wrong, or undefined when it was done. */
function applyOperation(files: Map<string, string>, operation: PatchOperation): string | undefined {
  if (operation.type === "add") {
    files.set(operation.path, operation.content);
    return undefined;
  }
  const original = files.get(operation.path);
  if (original === undefined) return "there is no such file";
  if (operation.type === "delete") {
    files.delete(operation.path);
    return undefined;
  }
  const updated = applyHunks(original, operation.hunks);
  if (!updated.ok) return updated.error;
  if (operation.moveTo !== undefined) files.delete(operation.path);
  files.set(operation.moveTo ?? operation.path, updated.content);
  return undefined;
}

/** Applies hunks to one file, in order. */
export function applyHunks(
  original: string,
  hunks: readonly PatchHunk[],
): { ok: true; content: string } | { ok: false; error: string } {
  const exact = applyExactly(original, hunks);
  if (exact !== undefined) return { ok: true, content: exact };
  const mark = original.startsWith("\ufeff") ? "\ufeff" : "";
  const { texts, ends } = splitLines(original.slice(mark.length));
  const ending = usualEnding(ends);
  const out: string[] = [mark];
  let line = 0;
  const copy = (to: number) => {
    for (; line < to; line++) out.push(texts[line]! + ends[line]!);
  };
  for (const [index, hunk] of hunks.entries()) {
    const found = findHunk(texts, hunk, line);
    if (typeof found === "string") return { ok: false, error: `hunk ${index + 1} ${found}` };
    copy(found);
    for (const { kind, text } of hunk.lines) {
      if (kind === " ") copy(line + 1);
      else if (kind === "-") line++;
      else {
        breakLine(out, ending);
        out.push(stripReturn(text) + ending);
      }
    }
    // What was the last line had no line break; what is now the last has none either.
    const wantsBreak = hunk.noBreak ? !hunk.noBreak.new : (ends.at(-1) ?? ending) !== "";
    if (line >= texts.length && !wantsBreak) dropLastBreak(out);
  }
  copy(texts.length);
  return { ok: true, content: out.join("") };
}

/** A kept line without a line break gets one when another follows it. */
function breakLine(out: string[], ending: string): void {
  const last = out.at(-1);
  if (out.length > 1 && last !== undefined && !/[\r\n]$/.test(last))
    out[out.length - 1] = last + ending;
}

function dropLastBreak(out: string[]): void {
  const last = out.pop();
  if (last !== undefined) out.push(last.replace(/(?:\r\n|\n|\r)$/, ""));
}

function stripReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

function splitLines(text: string): { texts: string[]; ends: string[] } {
  const texts: string[] = [];
  const ends: string[] = [];
  let from = 0;
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    texts.push(text.slice(from, match.index));
    ends.push(match[0]);
    from = match.index + match[0].length;
  }
  if (from < text.length) {
    texts.push(text.slice(from));
    ends.push("");
  }
  return { texts, ends };
}

function usualEnding(ends: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const end of ends) if (end !== "") counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? "\n";
}

/** The line where a hunk's old lines begin, or why there is no such place. */
function findHunk(texts: readonly string[], hunk: PatchHunk, from: number): number | string {
  let start = from;
  for (const anchor of hunk.anchors) {
    const found = findAnchor(texts, anchor, start);
    if (found === -1) return `has the context ${JSON.stringify(anchor)}, which is not in the file`;
    start = found + 1;
  }
  const old = hunk.lines.filter(({ kind }) => kind !== "+").map(({ text }) => stripReturn(text));
  if (old.length === 0) {
    if (hunk.oldStart !== undefined) return Math.max(from, Math.min(texts.length, hunk.oldStart));
    return hunk.anchors.length > 0 ? start : texts.length;
  }
  for (const key of [(line: string) => line, lineKey.trailing, lineKey.indent, lineKey.loose]) {
    const places = findRuns(texts.slice(start).map(key), old.map(key)).map((run) => run + start);
    const choice = choosePlace(places, hunk, texts.length - old.length);
    if (choice !== undefined) return choice;
  }
  return `does not fit: its lines are not in the file${from > 0 ? " behind the hunk before it" : ""}`;
}

function choosePlace(
  places: readonly number[],
  hunk: PatchHunk,
  last: number,
): number | string | undefined {
  const fitting = hunk.atEnd ? places.filter((place) => place === last) : places;
  const first = fitting[0];
  if (first === undefined || fitting.length === 1) return first;
  if (hunk.oldStart !== undefined) {
    const wanted = hunk.oldStart - 1;
    if (fitting.includes(wanted)) return wanted;
  } else if (hunk.anchors.length > 0) return first;
  return `fits ${fitting.length} places: give more lines around it`;
}

function findAnchor(texts: readonly string[], anchor: string, from: number): number {
  for (const key of [(line: string) => line, lineKey.indent, lineKey.loose]) {
    const wanted = key(anchor);
    for (let line = from; line < texts.length; line++)
      if (key(texts[line]!) === wanted) return line;
  }
  return -1;
}
