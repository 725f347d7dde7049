import { visible } from "@treadle/protocol/safe-text";
import { toolEntry } from "@treadle/protocol/tools";
import type { ToolCall } from "./tool-call.ts";

/** What did not come about, of a call whose tool broke. */
export function failedTitle({ tool, input }: Pick<ToolCall, "tool" | "input">): string {
  const act = toolEntry(tool)?.verb;
  const path = input?.["path"];
  if (act === undefined || typeof path !== "string") return `${tool} failed`;
  // Escaped where it has to be seen what it is: a line break, or a character that turns the text around (A42).
  const shown = /[\p{Cc}\p{Cf}]/u.test(path) ? visible(JSON.stringify(path)) : path;
  return `Did not ${act} ${shown}`;
}
