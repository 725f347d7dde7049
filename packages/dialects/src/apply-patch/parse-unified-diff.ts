import { checkPath, fail } from "./problem.ts";
import { readHunks } from "./read-hunks.ts";
import type { PatchHunk, PatchOperation } from "./types.ts";

/** Parses a unified diff of one or several files, with or without git's headers. */
export function parseUnifiedDiff(text: string): PatchOperation[] {
  const lines = linesOf(text);
  const operations: PatchOperation[] = [];
  for (let at = 0; at < lines.length; at++) {
    const paths = pathsAt(lines, at);
    if (!paths) continue;
    const { hunks, next } = readHunks(lines, at + 2, true, endsFile(lines));
    at = next - 1;
    operations.push(operationOf(paths[0], paths[1], hunks));
  }
  if (operations.length === 0)
    fail("it has neither *** Begin Patch nor lines of --- and +++"); // prettier-ignore
  return operations;
}

/** Parses the hunks of a diff without file headers. */
export function parseHunks(text: string): PatchHunk[] {
  const lines = linesOf(text);
  return readHunks(lines, 0, true, endsFile(lines)).hunks;
}

function endsFile(lines: readonly string[]): (at: number) => boolean {
  return (at) => lines[at]!.startsWith("diff --git ") || !!pathsAt(lines, at);
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** The old and the new path, if a file's two header lines are at this position. */
function pathsAt(lines: readonly string[], at: number): [string, string] | undefined {
  const old = pathOf(lines[at], "--- ");
  const fresh = pathOf(lines[at + 1], "+++ ");
  return old && fresh ? [old, fresh] : undefined;
}

function pathOf(line: string | undefined, mark: string): string | undefined {
  if (!line?.startsWith(mark)) return undefined;
  const path = line.slice(mark.length).replace(/\t.*|\r$/, "");
  return path.replace(/^"(.*)"$/, "$1").replace(/^[ab]\//, "");
}

function operationOf(oldPath: string, newPath: string, hunks: PatchHunk[]): PatchOperation {
  const none = "/dev/null";
  const path = checkPath(oldPath === none ? newPath : oldPath);
  if (newPath === none) return { type: "delete", path };
  if (oldPath === none) {
    const added = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === "+"));
    const content = added.map(({ text }) => `${text}\n`).join("");
    const noBreak = hunks.at(-1)?.noBreak?.new;
    return { type: "add", path, content: noBreak ? content.slice(0, -1) : content };
  }
  if (hunks.length === 0) fail(`${path} has no hunk`);
  const target = checkPath(newPath);
  return { type: "update", path, hunks, moveTo: target === path ? undefined : target };
}
