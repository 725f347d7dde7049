import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { ApprovalQuestion } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";
import { spokenTool } from "@treadle/protocol/tools";
import { shownSubject } from "../terminal/shown-subject.ts";

/** Maximum length of names in the question, in characters. */
const NAMED = 80;

/**
 * The request with which an editor asks the person for permission. It shows the whole action, whatever it contains (A42,
 * A103).
 */
export function permissionFor(
  sessionId: string,
  { call, tool, why, subject, mayRemember }: ApprovalQuestion,
): RequestPermissionRequest {
  const shown = subject.what.flatMap(shownSubject);
  const [only = ""] = shown.length === 1 ? shown : [];
  const name = only === "" || only.length > NAMED || only.includes("`") ? "" : ` \`${only}\``;
  return {
    sessionId,
    toolCall: {
      toolCallId: call,
      title: `${spokenTool(tool)}${name}: ${oneLine(why)}`,
      content: [{ type: "content", content: { type: "text", text: fenced(shown.join("\n")) } }],
    },
    options: [
      { optionId: "once", name: "Allow", kind: "allow_once" },
      ...(mayRemember
        ? [{ optionId: "always", name: "Always allow this", kind: "allow_always" as const }]
        : []),
      { optionId: "deny", name: "Do not", kind: "reject_once" },
    ],
  };
}

const oneLine = (text: string) => visible(text).replaceAll(/\s+/g, " ");

/** Formats text as code that no mark inside can end, since the text is not ours. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
