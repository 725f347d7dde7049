import { parseHunks } from "../apply-patch/parse-unified-diff.ts";
import { parsePatch } from "../apply-patch/parse.ts";
import { readHunks } from "../apply-patch/read-hunks.ts";
import type { PatchHunk, PatchOperation } from "../apply-patch/types.ts";
import type { Edit } from "../edits/types.ts";
import { SEARCH } from "../search-replace/markers.ts";
import { parseSearchReplace } from "../search-replace/parse.ts";

/** A change of one file. */
export type FileChange =
  /** `path` is absent if the change does not name its file. */
  | { type: "edit"; path?: string; edits: Edit[] }
  | { type: "write"; path: string; content: string }
  | { type: "delete"; path: string }
  | { type: "rename"; path: string; to: string };

/** The changes in order, or a sentence about what is wrong. */
export type ReadChange = { ok: true; changes: FileChange[] } | { ok: false; error: string };

const PATCH = /^\s*\*\*\* Begin Patch\s*$/m;
const HEADERS = /^--- \S.*\r?\n\+\+\+ \S/m;
const RANGE = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;

/**
 * Parses a text that describes changes of files: SEARCH/REPLACE blocks, `*** Begin Patch`, a
 * unified diff, or lines with `-` and `+`. Returns undefined for any other form. Never throws.
 */
export function readChange(text: string): ReadChange | undefined {
  if (text.split("\n").some((line) => SEARCH.test(line.trimEnd()))) {
    const parsed = parseSearchReplace(text);
    return parsed.ok ? { ok: true, changes: [{ type: "edit", edits: parsed.edits }] } : parsed;
  }
  if (PATCH.test(text) || HEADERS.test(text)) {
    const parsed = parsePatch(text);
    return parsed.ok ? { ok: true, changes: parsed.patch.operations.flatMap(toChanges) } : parsed;
  }
  if (!/^\+/m.test(text) && !/^-/m.test(text)) return undefined;
  const hunks = RANGE.test(text) ? parseHunks(text) : looseHunks(text);
  const edits = hunks.map(toEdit).filter((edit) => edit.old !== edit.new);
  return edits.length === 0 ? undefined : { ok: true, changes: [{ type: "edit", edits }] };
}

function toChanges(operation: PatchOperation): FileChange[] {
  const { path } = operation;
  if (operation.type === "add") return [{ type: "write", path, content: operation.content }];
  if (operation.type === "delete") return [{ type: "delete", path }];
  const { hunks, moveTo } = operation;
  const edit: FileChange = { type: "edit", path, edits: hunks.map(toEdit) };
  const edited = hunks.length > 0 ? [edit] : [];
  return moveTo === undefined ? edited : [...edited, { type: "rename", path, to: moveTo }];
}

function toEdit({ lines }: PatchHunk): Edit {
  const textOf = (left: "-" | "+") =>
    lines.map(({ kind, text }) => (kind === left ? "" : `${text}\n`)).join("");
  return { old: textOf("+"), new: textOf("-") };
}

/**
 * Parses hunks without ranges. Models often omit the blank before context lines: if one of them has
 * none, none is stripped.
 */
function looseHunks(text: string): PatchHunk[] {
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  const stays = lines.filter((line) => line.trim() !== "" && !/^(?:[-+\\]|@@)/.test(line));
  const isBare = stays.some((line) => !line.startsWith(" "));
  const marked = isBare ? lines.map((line) => (/^(?:[-+\\]|@@)/.test(line) ? line : ` ${line}`)) : lines; // prettier-ignore
  return readHunks(marked, 0, false, () => false).hunks;
}
