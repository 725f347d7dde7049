import { checkPath } from "./check-path.ts";
import type { PatchHunk, PatchOperation, PatchResult } from "./types.ts";

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads a unified diff of one or several files, with or without git's own headers. Counts in hunk headers are not
 * believed, models get them wrong; where a hunk begins is a hint.
 */
export function parseUnifiedDiff(text: string): PatchResult {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const operations: PatchOperation[] = [];
  let at = 0;
  while (at < lines.length) {
    const from = fileHeader(lines, at);
    if (!from) {
      at++;
      continue;
    }
    const { hunks, next } = readHunks(lines, from.body);
    at = next;
    const operation = operationOf(from.oldPath, from.newPath, hunks);
    if (typeof operation === "string") return { ok: false, error: `${operation}.` };
    operations.push(operation);
  }
  if (operations.length === 0)
    return { ok: false, error: "The diff names no file: it needs lines of --- and +++." };
  return { ok: true, patch: { operations } };
}

/** The hunks of a diff whose headers were left out. */
export function parseHunks(text: string): PatchHunk[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return readHunks(lines, 0).hunks;
}

function fileHeader(
  lines: readonly string[],
  at: number,
): { oldPath: string; newPath: string; body: number } | undefined {
  const old = /^--- (.+?)(?:\t.*)?\r?$/.exec(lines[at] ?? "");
  const fresh = /^\+\+\+ (.+?)(?:\t.*)?\r?$/.exec(lines[at + 1] ?? "");
  if (!old || !fresh) return undefined;
  return { oldPath: bare(old[1]!), newPath: bare(fresh[1]!), body: at + 2 };
}

function bare(path: string): string {
  return path.replace(/^"(.*)"$/, "$1").replace(/^[ab]\//, "");
}

function readHunks(lines: readonly string[], from: number): { hunks: PatchHunk[]; next: number } {
  const hunks: PatchHunk[] = [];
  let hunk: PatchHunk | undefined;
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at]!;
    const header = HUNK.exec(line);
    if (header) {
      hunk = { anchors: [], lines: [], atEnd: false, oldStart: Number(header[1]) };
      hunks.push(hunk);
      continue;
    }
    if (line.startsWith("diff --git ") || (line.startsWith("--- ") && fileHeader(lines, at))) break;
    const kind = line.charAt(0);
    if (line.startsWith("\\")) markNoBreak(hunk);
    else if (kind === " " || kind === "-" || kind === "+")
      hunk?.lines.push({ kind, text: line.slice(1) });
    else if (line === "") hunk?.lines.push({ kind: " ", text: "" });
    else if (hunk) break;
  }
  return { hunks, next: at };
}

/** `\ No newline at end of file`: said of the line before it. */
function markNoBreak(hunk: PatchHunk | undefined): void {
  const last = hunk?.lines.at(-1);
  if (hunk && last) {
    hunk.atEnd = true;
    hunk.noBreak = { ...hunk.noBreak, [last.kind === "-" ? "old" : "new"]: true };
    if (last.kind === " ") hunk.noBreak.old = true;
  }
}

function operationOf(
  oldPath: string,
  newPath: string,
  hunks: PatchHunk[],
): PatchOperation | string {
  const named = oldPath === "/dev/null" ? newPath : oldPath;
  const path = checkPath(named);
  if (typeof path !== "string") return path.problem;
  if (newPath === "/dev/null") return { type: "delete", path };
  if (oldPath === "/dev/null") {
    const added = hunks.flatMap((hunk) => hunk.lines.filter(({ kind }) => kind === "+"));
    const noBreak = hunks.at(-1)?.noBreak?.new ?? false;
    const content = added.map(({ text }) => text).join("\n");
    return { type: "add", path, content: content + (noBreak || added.length === 0 ? "" : "\n") };
  }
  if (hunks.length === 0) return `the diff of ${path} has no hunk`;
  const target = checkPath(newPath);
  if (typeof target !== "string") return target.problem;
  return target === path
    ? { type: "update", path, hunks }
    : { type: "update", path, moveTo: target, hunks };
}
