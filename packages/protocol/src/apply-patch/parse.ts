import { checkPath } from "./check-path.ts";
import { parseUnifiedDiff } from "./parse-unified-diff.ts";
import { readHunks } from "./read-hunks.ts";
import type { PatchHunk, PatchOperation, PatchResult } from "./types.ts";

const HEADER = /^\s*\*\*\* (Add File|Delete File|Update File|Move to): (.+?)\s*$/;

/**
 * Reads a patch: the `*** Begin Patch` format, also inside a shell's here-document, or a unified diff. A patch that does
 * nothing is refused.
 */
export function parsePatch(text: string): PatchResult {
  const all = text.replaceAll("\r\n", "\n").split("\n");
  const trimmed = all.map((line) => line.trim());
  const begin = trimmed.indexOf("*** Begin Patch");
  const end = trimmed.indexOf("*** End Patch", begin + 1);
  if (begin === -1) {
    if (/^(?:@@ -|diff --git )/m.test(text)) return parseUnifiedDiff(text);
    return { ok: false, error: "The patch does not begin with *** Begin Patch." };
  }
  if (end === -1) return { ok: false, error: "The patch does not end with *** End Patch." };
  const lines = all.slice(begin + 1, end);
  const operations: PatchOperation[] = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at]!.trim() === "") at++;
    else {
      const [operation, next] = readOperation(lines, at);
      if (typeof operation === "string")
        return { ok: false, error: `Line ${at + 2} of the patch: ${operation}.` };
      operations.push(operation);
      at = next;
    }
  }
  if (operations.length === 0) return { ok: false, error: "The patch changes nothing." };
  return { ok: true, patch: { operations } };
}

/** What the header at `at` begins, or what is wrong with it, and the line behind it. */
function readOperation(
  lines: readonly string[],
  at: number,
): [operation: PatchOperation | string, next: number] {
  const [, kind, written = ""] = HEADER.exec(lines[at]!) ?? [];
  if (!kind || kind === "Move to")
    return [`${JSON.stringify(lines[at])} is none of *** Add File, *** Update File, *** Delete File`, at]; // prettier-ignore
  const path = checkPath(written);
  if (typeof path !== "string") return [path.problem, at];
  if (kind === "Delete File") return [{ type: "delete", path }, at + 1];
  const move = kind === "Update File" ? HEADER.exec(lines[at + 1] ?? "") : undefined;
  const moveTo = move?.[1] === "Move to" ? checkPath(move[2]!) : undefined;
  if (typeof moveTo === "object") return [moveTo.problem, at];
  const from = at + (moveTo === undefined ? 1 : 2);
  const isHeader = (line: number) => HEADER.test(lines[line]!);
  if (kind === "Add File") {
    let next = from;
    while (next < lines.length && !isHeader(next)) next++;
    const body = lines.slice(from, next).filter((line) => line.trim() !== "");
    if (body.some((line) => !line.startsWith("+")))
      return [`a line of the added file ${path} does not begin with +`, at];
    return [{ type: "add", path, content: body.map((line) => `${line.slice(1)}\n`).join("") }, next]; // prettier-ignore
  }
  const { hunks: read, next } = readHunks(lines, from, false, isHeader);
  if (next < lines.length && !isHeader(next))
    return [`${JSON.stringify(lines[next]!.slice(0, 80))} begins neither with a blank nor with + or -`, at]; // prettier-ignore
  const hunks = read.filter((hunk) => {
    dropBreak(hunk);
    return hunk.lines.length > 0;
  });
  if (hunks.length === 0 && moveTo === undefined) return [`the update of ${path} has no hunk`, at];
  return [{ type: "update", path, hunks, ...(moveTo !== undefined && { moveTo }) }, next];
}

/** Blank lines before the next header belong to nobody. */
function dropBreak({ lines, atEnd }: PatchHunk): void {
  while (!atEnd && lines.length > 1 && lines.at(-1)!.kind === " " && lines.at(-1)!.text === "")
    lines.pop();
}
