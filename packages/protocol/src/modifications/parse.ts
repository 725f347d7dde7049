import { applyHunks } from "../apply-patch/apply.ts";
import { parseHunks } from "../apply-patch/parse-unified-diff.ts";
import { parseAttributes } from "../artifact/attributes.ts";
import type { ApplyModificationResult, Modification } from "./types.ts";

const OPEN = "<bolt_file_modifications>";
const CLOSE = "</bolt_file_modifications>";
const ENTRY = /^<(diff|file|deleted|binary)\s+([^>]*?)\s*(\/?)>$/;
const WORKSPACE_ROOT = "/home/project/";

/** The entries of every `<bolt_file_modifications>` in a text; one that is never closed counts to the text's end. */
export function parseModifications(text: string): Modification[] {
  const found: Modification[] = [];
  let at = text.indexOf(OPEN);
  while (at !== -1) {
    const lines = text.slice(at + OPEN.length).split("\n");
    const used = readEntries(lines, found);
    at = text.indexOf(OPEN, at + OPEN.length + lines.slice(0, used).join("\n").length);
  }
  return found;
}

/** The file as a modification leaves it: undefined when it is gone. Fails where a diff does not fit, or shows nothing. */
export function applyModification(
  before: string | undefined,
  modification: Modification,
): ApplyModificationResult {
  switch (modification.type) {
    case "file":
      return { ok: true, content: modification.content };
    case "deleted":
      return { ok: true, content: undefined };
    case "binary":
      return { ok: false, error: `${modification.path} is binary and was not shown.` };
    case "diff": {
      const result = applyHunks(before ?? "", parseHunks(modification.content));
      return result.ok ? result : { ok: false, error: `${modification.path}: ${result.error}.` };
    }
  }
}

/** Reads entries up to the closing tag; the number of lines read. */
function readEntries(lines: readonly string[], found: Modification[]): number {
  let at = 0;
  for (; at < lines.length; at++) {
    const line = lines[at]!.trim();
    if (line === CLOSE) return at + 1;
    const entry = ENTRY.exec(line);
    if (!entry) continue;
    const type = entry[1] as Modification["type"];
    const path = pathOf(entry[2] ?? "");
    if (type === "deleted" || type === "binary" || entry[3] === "/") {
      found.push(
        type === "deleted" || type === "binary" ? { type, path } : { type, path, content: "" },
      );
      continue;
    }
    const end = findEnd(lines, at + 1, `</${type}>`);
    const body = lines.slice(at + 1, end);
    const content = type === "diff" ? body.map((text) => `${text}\n`).join("") : body.join("\n");
    found.push({ type, path, content });
    at = end;
  }
  return at;
}

function findEnd(lines: readonly string[], from: number, close: string): number {
  const end = lines.indexOf(close, from);
  return end === -1 ? lines.length : end;
}

function pathOf(attributes: string): string {
  const path = parseAttributes(attributes).get("path") ?? "";
  return path.startsWith(WORKSPACE_ROOT) ? path.slice(WORKSPACE_ROOT.length) : path;
}
