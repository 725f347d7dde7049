import { encodeAttribute } from "../artifact/attributes.ts";
import { formatUnifiedDiff } from "../diff/format-unified-diff.ts";
import type { FileModification, Modification } from "./types.ts";

/**
 * Formats a person's changes for the model as bolt's `<bolt_file_modifications>`: for each file the
 * diff or the new text, whichever is shorter; deleted and binary files are only named. `""` if
 * nothing changed.
 */
export function formatModifications(changes: readonly FileModification[]): string {
  const entries = changes.flatMap((change) => {
    const modification = toModification(change);
    return modification ? [formatEntry(modification)] : [];
  });
  if (entries.length === 0) return "";
  return `<bolt_file_modifications>\n${entries.join("")}</bolt_file_modifications>`;
}

/** The shorter form of a change; undefined if there is none. */
export function toModification(change: FileModification): Modification | undefined {
  const { path, before, after } = change;
  if (change.binary) return { type: "binary", path };
  if (after === undefined)
    return change.diff === undefined || change.diff === ""
      ? { type: "deleted", path }
      : { type: "diff", path, content: change.diff };
  if (before === after) return undefined;
  const diff = change.diff ?? formatUnifiedDiff(before ?? "", after);
  // A line that looks like the end of the entry needs a diff, where lines are prefixed.
  const diffOnly = after.includes("\n</file>") || after.startsWith("</file>");
  if (diffOnly || diff.length < after.length) return { type: "diff", path, content: diff };
  return { type: "file", path, content: after };
}

function formatEntry(modification: Modification): string {
  const { type, path } = modification;
  const open = `<${type} path="${encodeAttribute(path)}"`;
  if (!("content" in modification)) return `${open} />\n`;
  return `${open}>\n${modification.content}${type === "file" ? "\n" : ""}</${type}>\n`;
}
