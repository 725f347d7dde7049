import type { ApprovalSubject } from "@treadle/protocol";
import type { Tool } from "../tools/tool.ts";

/** What a call does, as far as a policy looks at it. */
export function subjectOf(tool: Tool, input: Record<string, unknown>): ApprovalSubject {
  if (tool.subject) return tool.subject(input);
  const texts = (...names: string[]) =>
    names.map((name) => input[name]).filter((value) => typeof value === "string");
  if (tool.commands) return { kind: "command", what: texts("command") };
  if (tool.changes) return { kind: "write", what: texts("path", "from", "to", "template") };
  return { kind: "read", what: texts("path") };
}
