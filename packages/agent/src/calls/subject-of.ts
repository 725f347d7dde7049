import type { ApprovalSubject } from "@treadle/protocol";
import type { Tool } from "../tools/tool.ts";

/** The aspect of a call that an approval policy decides about. */
export function subjectOf(tool: Tool, input: Record<string, unknown>): ApprovalSubject {
  if (tool.subject) return tool.subject(input);
  const texts = (...names: string[]) =>
    names.map((name) => input[name]).filter((value) => typeof value === "string");
  if (tool.commands) return { kind: "command", what: texts("command") };
  if (tool.changes) return { kind: "write", what: texts("path", "from", "to", "template") };
  return { kind: "read", what: texts("path") };
}
