import { checkPath } from "./check-path.ts";
import { parseUnifiedDiff } from "./parse-unified-diff.ts";
import type { PatchHunk, PatchOperation, PatchResult } from "./types.ts";

/**
 * Reads a patch: the `*** Begin Patch` format, also inside a shell's here-document, or a unified diff. A patch that does
 * nothing is refused.
 */
export function parsePatch(text: string): PatchResult {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  if (begin === -1) {
    if (lines.some((line) => line.startsWith("@@ -") || line.startsWith("diff --git ")))
      return parseUnifiedDiff(text);
    return { ok: false, error: "The patch does not begin with *** Begin Patch." };
  }
  const end = lines.findIndex((line, index) => index > begin && line.trim() === "*** End Patch");
  if (end === -1) return { ok: false, error: "The patch does not end with *** End Patch." };
  return new PatchReader(lines.slice(begin + 1, end)).read();
}

const HEADER = /^\s*\*\*\* (Add File|Delete File|Update File|Move to): (.+?)\s*$/;
const END_OF_FILE = /^\s*\*\*\* End of File\s*$/;

class PatchReader {
  readonly #lines: string[];
  #at = 0;

  constructor(lines: string[]) {
    this.#lines = lines;
  }

  read(): PatchResult {
    const operations: PatchOperation[] = [];
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at]!;
      const number = this.#at + 2;
      if (line.trim() === "") {
        this.#at++;
        continue;
      }
      const operation = this.#readOperation(line);
      if (typeof operation === "string")
        return { ok: false, error: `Line ${number} of the patch: ${operation}.` };
      operations.push(operation);
    }
    if (operations.length === 0) return { ok: false, error: "The patch changes nothing." };
    return { ok: true, patch: { operations } };
  }

  #readOperation(line: string): PatchOperation | string {
    const header = HEADER.exec(line);
    if (!header || header[1] === "Move to")
      return `${JSON.stringify(line)} is none of *** Add File, *** Update File, *** Delete File`;
    this.#at++;
    const path = checkPath(header[2]!);
    if (typeof path !== "string") return path.problem;
    if (header[1] === "Delete File") return { type: "delete", path };
    if (header[1] === "Add File") return this.#readAdded(path);
    return this.#readUpdate(path);
  }

  #readAdded(path: string): PatchOperation | string {
    const content: string[] = [];
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!;
      if (HEADER.test(line)) break;
      if (line.startsWith("+")) content.push(`${line.slice(1)}\n`);
      else if (line.trim() !== "") return `a line of the added file ${path} does not begin with +`;
    }
    return { type: "add", path, content: content.join("") };
  }

  #readUpdate(path: string): PatchOperation | string {
    const operation: PatchOperation = { type: "update", path, hunks: [] };
    const move = HEADER.exec(this.#lines[this.#at] ?? "");
    if (move?.[1] === "Move to") {
      const target = checkPath(move[2]!);
      if (typeof target !== "string") return target.problem;
      operation.moveTo = target;
      this.#at++;
    }
    while (this.#at < this.#lines.length && !HEADER.test(this.#lines[this.#at]!)) {
      const hunk = this.#readHunk();
      if (typeof hunk === "string") return hunk;
      if (hunk) operation.hunks.push(hunk);
    }
    if (operation.hunks.length === 0 && operation.moveTo === undefined)
      return `the update of ${path} has no hunk`;
    return operation;
  }

  #readHunk(): PatchHunk | string | undefined {
    const hunk: PatchHunk = { anchors: [], lines: [], atEnd: false };
    for (; (this.#lines[this.#at] ?? "").startsWith("@@"); this.#at++) {
      const anchor = this.#lines[this.#at]!.replace(/^@@ ?/, "").replace(/ ?@@$/, "");
      if (anchor.trim() !== "" && !/^-\d+(?:,\d+)? \+\d+(?:,\d+)?$/.test(anchor))
        hunk.anchors.push(anchor);
    }
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!;
      if (HEADER.test(line) || line.startsWith("@@")) break;
      if (END_OF_FILE.test(line)) {
        hunk.atEnd = true;
        this.#at++;
        break;
      }
      const kind = line.charAt(0);
      if (kind === " " || kind === "-" || kind === "+")
        hunk.lines.push({ kind, text: line.slice(1) });
      else if (line === "") hunk.lines.push({ kind: " ", text: "" });
      else
        return `${JSON.stringify(line.slice(0, 80))} begins neither with a blank nor with + or -`;
    }
    // Blank lines before the next header belong to nobody.
    while (hunk.lines.length > 0 && isBlankContext(hunk, hunk.lines.length - 1) && this.#isBreak())
      hunk.lines.pop();
    return hunk.lines.length === 0 ? undefined : hunk;
  }

  #isBreak(): boolean {
    return this.#lines[this.#at - 1] === "";
  }
}

function isBlankContext(hunk: PatchHunk, index: number): boolean {
  const line = hunk.lines[index];
  return line?.kind === " " && line.text === "" && hunk.lines.length > 1;
}
