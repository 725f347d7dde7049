import { visible } from "@treadle/protocol/safe-text";
import { asSentence, sentence, type Sentence } from "@treadle/protocol/sentences";
import { toolEntry } from "@treadle/protocol/tools";
import type { ToolCall } from "./tool-call.ts";

const NOT_DONE = {
  write: "not-written",
  edit: "not-edited",
  read: "not-read",
  delete: "not-deleted",
} as const;

/** The title for a call that broke off: the action that did not happen. */
export function failedTitle({ tool, input }: Pick<ToolCall, "tool" | "input">): Sentence {
  const act = toolEntry(tool)?.verb;
  const path = input?.["path"];
  if (act === undefined || typeof path !== "string") return asSentence(`${tool} failed`);
  // Escapes characters that would hide what a title says: line breaks, and those that reverse text (A42).
  const shown = /[\p{Cc}\p{Cf}]/u.test(path) ? visible(JSON.stringify(path)) : path;
  return sentence(NOT_DONE[act], { path: shown });
}
