import type { Edit } from "../edits/types.ts";
import { looksLikeMarker } from "./markers.ts";

/**
 * Formats edits as SEARCH/REPLACE blocks; parsing them gives the same edits if these consist of
 * complete lines.
 */
export function formatSearchReplace(edits: readonly Edit[]): string {
  return edits
    .map(
      (edit) =>
        `------- SEARCH\n${escapeLines(edit.old)}=======\n${escapeLines(edit.new)}+++++++ REPLACE\n`,
    )
    .join("");
}

function escapeLines(text: string): string {
  if (text === "") return "";
  const trimmed = text.endsWith("\n") ? text.slice(0, -1) : text;
  return trimmed
    .split("\n")
    .map((line) => `${looksLikeMarker(line) ? "\\" : ""}${line}\n`)
    .join("");
}
