import { parseUnifiedDiff } from "./parse-unified-diff.ts";
import { checkPath, fail, PatchProblem } from "./problem.ts";
import { readHunks } from "./read-hunks.ts";
import type { PatchHunk, PatchOperation, PatchResult } from "./types.ts";

const HEADER = /^\s*\*\*\* (Add File|Delete File|Update File|Move to): (.*\S)/;

const NOT_BEGUN = "does not begin with";
const BEGIN = "*** Begin Patch";

/**
 * Parses a patch: the `*** Begin Patch` format, also inside a shell's here-document, or a unified
 * diff. A patch without any change is rejected.
 */
export function parsePatch(text: string): PatchResult {
  try {
    const operations = text.split("\n").some((line) => line.trim() === BEGIN)
      ? readOperations(text)
      : parseUnifiedDiff(text);
    return { ok: true, patch: { operations } };
  } catch (problem) {
    if (problem instanceof PatchProblem)
      return { ok: false, error: `The patch cannot be read: ${problem.message}.` };
    throw problem;
  }
}

function readOperations(text: string): PatchOperation[] {
  const all = text.replaceAll("\r\n", "\n").split("\n");
  const trimmed = all.map((line) => line.trim());
  const begin = trimmed.indexOf(BEGIN);
  const end = trimmed.indexOf("*** End Patch", begin + 1);
  if (end === -1) fail("it does not end with *** End Patch");
  const lines = all.slice(begin + 1, end);
  const operations: PatchOperation[] = [];
  for (let at = 0; at < lines.length;)
    at = lines[at]!.trim() === "" ? at + 1 : readOperation(lines, at, operations);
  if (operations.length === 0) fail("it changes nothing");
  return operations;
}

/**
 * Adds the operation whose header is at line `at`.
 * @returns the line after it
 */
function readOperation(lines: readonly string[], at: number, operations: PatchOperation[]): number {
  const [, kind, written = ""] = HEADER.exec(lines[at]!) ?? [];
  if (!kind || kind === "Move to")
    fail(`${JSON.stringify(lines[at])} ${NOT_BEGUN} *** Add, Update or Delete File`); // prettier-ignore
  const path = checkPath(written);
  if (kind === "Delete File") {
    operations.push({ type: "delete", path });
    return at + 1;
  }
  const isHeader = (line: number) => HEADER.test(lines[line]!);
  if (kind === "Add File") {
    const from = at + 1;
    while (++at < lines.length && !isHeader(at));
    const body = lines.slice(from, at).filter((line) => line.trim() !== "");
    if (body.some((line) => !line.startsWith("+"))) fail(`a line of ${path} ${NOT_BEGUN} +`);
    const content = body.map((line) => `${line.slice(1)}\n`).join("");
    operations.push({ type: "add", path, content });
    return at;
  }
  const move = HEADER.exec(lines[at + 1] ?? "");
  const moveTo = move?.[1] === "Move to" ? checkPath(move[2]!) : undefined;
  const { hunks, next } = readHunks(lines, at + (moveTo === undefined ? 1 : 2), false, isHeader);
  if (next < lines.length && !isHeader(next))
    fail(`${JSON.stringify(lines[next]!.slice(0, 80))} ${NOT_BEGUN} a blank, + or -`); // prettier-ignore
  for (const hunk of hunks) dropBreak(hunk);
  const full = hunks.filter((hunk) => hunk.lines.length > 0);
  if (full.length === 0 && moveTo === undefined) fail(`${path} has no hunk`);
  operations.push({ type: "update", path, hunks: full, moveTo });
  return next;
}

/** Drops blank lines before the next header. */
function dropBreak({ lines, atEnd }: PatchHunk): void {
  while (!atEnd && lines.length > 1 && lines.at(-1)!.kind === " " && lines.at(-1)!.text === "")
    lines.pop();
}
