import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { ApprovalQuestion } from "@treadle/protocol";
import { visible } from "@treadle/protocol/safe-text";
import { spokenTool } from "@treadle/protocol/tools";
import { shownSubject } from "../terminal/shown-subject.ts";

/** Characters of what is named in the question itself. */
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

/** As code, which no mark within it ends: what is asked about is no text of ours. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
