import { applyHunks } from "../apply-patch/apply.ts";
import { parseHunks } from "../apply-patch/parse-unified-diff.ts";
import { parseAttributes } from "../artifact/attributes.ts";
import { WORKSPACE_ROOT } from "../artifact/project-path.ts";
import type { ApplyModificationResult, Modification } from "./types.ts";

const OPEN = "<bolt_file_modifications>";
const CLOSE = "</bolt_file_modifications>";
const ENTRY = /^<(diff|file|deleted|binary)\s([^>]*)>$/;

/**
 * The entries of every `<bolt_file_modifications>` in a text; an unclosed one extends to the text's
 * end.
 */
export function parseModifications(text: string): Modification[] {
  const found: Modification[] = [];
  const lines = text.split("\n");
  let isInside = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trim();
    const entry = isInside ? ENTRY.exec(line) : undefined;
    if (!entry) {
      isInside = line.includes(OPEN) || (isInside && !line.startsWith(CLOSE));
      continue;
    }
    const type = entry[1] as Modification["type"];
    const path = pathOf(entry[2]!);
    if (type === "deleted" || type === "binary") found.push({ type, path });
    else if (entry[2]!.endsWith("/")) found.push({ type, path, content: "" });
    else {
      const close = lines.indexOf(`</${type}>`, at + 1);
      const body = lines.slice(at + 1, close === -1 ? lines.length : close);
      // The line break before the closing tag belongs to a diff, but not to a file.
      const content = body.join("\n") + (type === "diff" && body.length > 0 ? "\n" : "");
      found.push({ type, path, content });
      at += body.length + 1;
    }
  }
  return found;
}

/**
 * The file after a modification; undefined if it was deleted. Fails if a diff does not match, or
 * contains nothing.
 */
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

function pathOf(attributes: string): string {
  const path = parseAttributes(attributes).get("path") ?? "";
  return path.startsWith(WORKSPACE_ROOT) ? path.slice(WORKSPACE_ROOT.length) : path;
}
