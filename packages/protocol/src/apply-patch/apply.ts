import { findRuns } from "../edits/find-runs.ts";
import { lineKey } from "../edits/keys.ts";
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
  const { type, path } = operation;
  const original = files.get(path);
  if (type === "add") files.set(path, operation.content);
  else if (original === undefined) return "there is no such file";
  else if (type === "delete") files.delete(path);
  else {
    const updated = applyHunks(original, operation.hunks);
    if (!updated.ok) return updated.error;
    if (operation.moveTo !== undefined) files.delete(path);
    files.set(operation.moveTo ?? path, updated.content);
  }
  return undefined;
}

const MARK = "\ufeff";

/**
 * Applies hunks to one file, in order. A unified diff that stands exactly where it says is taken literally, carriage
 * returns included; what anything else adds gets the line endings that the file has most.
 */
export function applyHunks(
  original: string,
  hunks: readonly PatchHunk[],
): { ok: true; content: string } | { ok: false; error: string } {
  const knowsMark = hunks.some(({ lines }) => lines.some(({ text }) => text.startsWith(MARK)));
  const mark = !knowsMark && original.startsWith(MARK) ? MARK : "";
  const text = original.slice(mark.length);
  let result = applyTo(text, text.split(/(?<=\n)/), hunks);
  // Old files end their lines in a carriage return alone.
  if (!result.ok && /\r(?!\n)/.test(text))
    result = applyTo(text, text.split(/(?<=\n|\r(?!\n))/), hunks);
  return result.ok ? { ok: true, content: mark + result.content } : result;
}

function applyTo(
  text: string,
  lines: readonly string[],
  hunks: readonly PatchHunk[],
): { ok: true; content: string } | { ok: false; error: string } {
  if (text === "") lines = [];
  const hadBreak = text === "" || ENDS.test(text);
  let hasBreak = hadBreak;
  const ending = usualEnding(lines);
  const bare = lines.map((line) => line.replace(/\n$/, ""));
  const out: string[] = [];
  let at = 0;
  let literal = true;
  for (const [index, hunk] of hunks.entries()) {
    const old = hunk.lines.flatMap((line) => (line.kind === "+" ? [] : [line.text]));
    const place = findHunk(bare, hunk, old, at);
    if (typeof place === "string") return { ok: false, error: `hunk ${index + 1} ${place}` };
    while (at < place) out.push(lines[at++]!);
    literal =
      hunk.oldStart !== undefined &&
      old.every((line, offset) => bare[place + offset] === line) &&
      (place + old.length < lines.length || !hunk.noBreak?.old === hadBreak);
    for (const { kind, text: added } of hunk.lines) {
      if (kind === " ") out.push(lines[at]!);
      if (kind !== "+") at++;
      else {
        const eol = literal ? "\n" : ending;
        // What was the file's last line, without a line break, is followed by another one.
        if (out.length > 0 && !ENDS.test(out.at(-1)!)) out.push(eol);
        out.push((literal ? added : added.replace(/\r$/, "")) + eol);
      }
    }
    if (at >= lines.length && hunk.noBreak) hasBreak = !hunk.noBreak.new;
  }
  let content = out.concat(lines.slice(at)).join("");
  if (!hasBreak) content = content.replace(literal ? /\n$/ : ENDS, "");
  else if (content !== "" && !ENDS.test(content)) content += ending;
  return { ok: true, content };
}

const ENDS = /(?:\r\n|\n|\r)$/;

function usualEnding(lines: readonly string[]): string {
  const count = (ending: RegExp) => lines.filter((line) => ending.test(line)).length;
  const feeds = count(/(?<!\r)\n$/);
  return count(/\r\n$/) > feeds ? "\r\n" : count(/\r$/) > feeds ? "\r" : "\n";
}

/** The line where a hunk's old lines begin, or why there is no such place. */
function findHunk(
  lines: readonly string[],
  hunk: PatchHunk,
  old: readonly string[],
  from: number,
): number | string {
  const { anchors, oldStart } = hunk;
  let start = from;
  for (const anchor of anchors) {
    const found = findAnchor(lines, anchor, start);
    if (found === -1) return `has the context ${JSON.stringify(anchor)}, which is not in the file`;
    start = found + 1;
  }
  if (old.length === 0) {
    if (oldStart !== undefined) return Math.max(from, Math.min(lines.length, oldStart));
    return anchors.length > 0 ? start : lines.length;
  }
  const rest = lines.slice(start);
  for (const key of [(line: string) => line, lineKey.trailing, lineKey.indent, lineKey.loose]) {
    const places = findRuns(rest.map(key), old.map(key)).map((run) => run + start);
    const fitting = hunk.atEnd
      ? places.filter((place) => place + old.length === lines.length)
      : places;
    const wanted = (oldStart ?? 0) - 1;
    if (fitting.includes(wanted)) return wanted;
    if (fitting.length === 1 || (fitting.length > 1 && anchors.length > 0)) return fitting[0]!;
    if (fitting.length > 1) return `fits ${fitting.length} places: give more lines around it`;
  }
  return `does not fit: its lines are not in the file${from > 0 ? " behind the hunk before it" : ""}`;
}

function findAnchor(lines: readonly string[], anchor: string, from: number): number {
  for (const key of [lineKey.trailing, lineKey.indent, lineKey.loose]) {
    const found = lines.findIndex((line, at) => at >= from && key(line) === key(anchor));
    if (found !== -1) return found;
  }
  return -1;
}
