import type { Option } from "./option.ts";

/** The kind of an option's value: none, one of its choices, a path, or free text. */
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
