import { findLines, type LinePlace } from "../edits/find-lines.ts";
import { MARK } from "../edits/editor.ts";
import { LOOSE } from "../edits/keys.ts";
import { createTextFile, type TextFile } from "../edits/text-file.ts";
import { parsePatch } from "./parse.ts";
import type { ApplyPatchResult, Patch, PatchHunk, PatchOperation } from "./types.ts";

/**
 * Applies a patch to a map of files, all or nothing: on any failure no file changes. The given map
 * is not modified. A hunk must match in one place after the hunk before it; white space and
 * typographic quotes and dashes may differ.
 * @param patch the text, or the result of `parsePatch`
 */
export function applyPatch(
  files: Readonly<Record<string, string>>,
  patch: string | Patch,
): ApplyPatchResult {
  const parsed = typeof patch === "string" ? parsePatch(patch) : { ok: true as const, patch };
  if (!parsed.ok) return parsed;
  // A Map, as a file may be named `__proto__`.
  const result = new Map(Object.entries(files));
  for (const operation of parsed.patch.operations) {
    const problem = applyOperation(result, operation);
    if (problem !== undefined) return { ok: false, error: `${operation.path}: ${problem}.` };
  }
  return { ok: true, files: Object.fromEntries(result) };
}

/** Returns what is wrong, or undefined on success. */
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

/**
 * Applies hunks to one file, in order. A unified diff that matches exactly at its stated line is
 * applied literally, including carriage returns; otherwise added lines get the file's most frequent
 * line ending.
 */
export function applyHunks(original: string, hunks: readonly PatchHunk[]): HunksResult {
  const knowsMark = hunks.some(({ lines }) => lines.some(({ text }) => text.startsWith(MARK)));
  const mark = !knowsMark && original.startsWith(MARK) ? MARK : "";
  const text = original.slice(mark.length);
  const result = applyTo(createTextFile(text), hunks, mark);
  // Old files end their lines with a lone carriage return.
  return result.ok ? result : applyTo(createTextFile(text, /\n|\r(?!\n)/), hunks, mark);
}

type HunksResult = { ok: true; content: string } | { ok: false; error: string };

function applyTo(file: TextFile, hunks: readonly PatchHunk[], mark: string): HunksResult {
  const { text } = file;
  const hadBreak = file.lines.at(-1) === "";
  const count = file.lines.length - (hadBreak ? 1 : 0);
  const isWindows = text.split("\r\n").length * 2 > text.split("\n").length + 1;
  const ending = isWindows ? "\r\n" : "\n";
  const out: string[] = [mark];
  let hasBreak = hadBreak;
  let literal = true;
  let at = 0;
  const keepUntil = (line: number) => {
    out.push(text.slice(file.startOf(at), file.startOf(line)));
    at = line;
  };
  for (const [index, hunk] of hunks.entries()) {
    const old = hunk.lines.flatMap((line) => (line.kind === "+" ? [] : [line.text]));
    const place = findHunk(file, count, hunk, old, at);
    if (typeof place === "string") return { ok: false, error: `hunk ${index + 1} ${place}` };
    keepUntil(place);
    literal =
      hunk.oldStart !== undefined &&
      standsAt(file, old, place) &&
      (place + old.length < count || !hunk.noBreak?.old === hadBreak);
    for (const { kind, text: added } of hunk.lines) {
      if (kind === " ") keepUntil(at + 1);
      else if (kind === "-") at++;
      else {
        const eol = literal ? "\n" : ending;
        // The old last line had no line break, and now another line follows it.
        if (at >= count && !hadBreak && /[^\n]$/.test(out.at(-1)!)) out.push(eol);
        out.push(literal ? added : added.replace(/\r$/, ""), eol);
      }
    }
    if (at >= count && hunk.noBreak) hasBreak = !hunk.noBreak.new;
  }
  keepUntil(file.lines.length);
  let content = out.join("");
  if (!hasBreak) content = content.replace(literal ? /\n$/ : /\r?\n$/, "");
  else if (content.length > mark.length && !/[\n\r]$/.test(content)) content += ending;
  return { ok: true, content };
}

/** The line where a hunk's old lines match, or why there is no such line. */
function findHunk(
  file: TextFile,
  count: number,
  { anchors, oldStart = 0, atEnd }: PatchHunk,
  old: readonly string[],
  from: number,
): number | string {
  let start = from;
  const isBehind = ({ lines, grade }: LinePlace) =>
    // Half a grade is for different blank lines: a patch may contain its own.
    lines.from >= start && lines.to <= count && grade <= LOOSE && Number.isInteger(grade);
  for (const anchor of anchors) {
    const found = findLines(file, [anchor], isBehind)[0];
    if (!found) return `has the context ${JSON.stringify(anchor)}, which is not in the file`;
    start = found.lines.to;
  }
  if (old.length === 0) {
    if (oldStart > 0) return Math.max(from, Math.min(count, oldStart));
    return anchors.length > 0 ? start : count;
  }
  const stated = oldStart - 1;
  if (stated >= start && (!atEnd || stated + old.length === count) && standsAt(file, old, stated))
    return stated;
  const places = findLines(file, old, (place) => isBehind(place) && (!atEnd || place.lines.to === count)); // prettier-ignore
  const place = places.find(({ lines }) => lines.from === stated) ?? places[0];
  if (!place)
    return `does not fit: its lines are not in the file${from > 0 ? " behind the hunk before it" : ""}`;
  if (places.length > 1 && place.lines.from !== stated && anchors.length === 0)
    return `fits ${places.length} places: give more lines around it`;
  return place.lines.from;
}

function standsAt(file: TextFile, lines: readonly string[], at: number): boolean {
  return lines.every((line, index) => file.lines[at + index] === line);
}
