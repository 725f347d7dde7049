import type { Option } from "./option.ts";

/** What stands behind an option: nothing, one of its own words, a path, or what only the person knows. */
export function takes({
  kind,
  choices,
  value,
}: Option): "nothing" | "words" | "folders" | "files" | "text" {
  if (choices) return "words";
  if (kind === "flag") return "nothing";
  if (kind === "folder" || value === "DIR") return "folders";
  return value === "FILE" ? "files" : "text";
}
