import { join } from "node:path";
import { readProjectPath } from "@treadle/protocol/project-path";
import type { SessionUpdate, ToolKind as EditorKind } from "@agentclientprotocol/sdk";
import type { LogEvent, TodoItem } from "@treadle/protocol";
import { spokenTool, toolKind, type ToolKind } from "@treadle/protocol/tools";
import { visible } from "@treadle/protocol/safe-text";
import { plain } from "../terminal/plain.ts";

/** Converts a log event to updates for an editor. */
export function updatesOf(event: LogEvent, folder: string): SessionUpdate[] {
  switch (event.type) {
    case "text":
      // A whole text was already sent in pieces.
      if (event.whole) return [];
      return [{ sessionUpdate: "agent_message_chunk", content: text(event.text) }];
    case "reasoning":
      if (event.whole) return [];
      return [{ sessionUpdate: "agent_thought_chunk", content: text(event.text) }];
    case "call-open":
      return [
        {
          sessionUpdate: "tool_call",
          toolCallId: event.call,
          title: spokenTool(event.tool),
          kind: KINDS[toolKind(event.tool) ?? "asks"] ?? "other",
          status: "pending",
        },
      ];
    case "call-input": {
      const { path } = event.input;
      // An editor opens any path that it is given here, so only paths inside the folder are sent (A103).
      const named = typeof path === "string" ? readProjectPath(path) : undefined;
      const locations = named?.ok ? [{ path: join(folder, named.path) }] : [];
      return [
        {
          sessionUpdate: "tool_call_update",
          toolCallId: event.call,
          rawInput: shownInput(event.input),
          locations,
        },
      ];
    }
    case "call-start":
      return [{ sessionUpdate: "tool_call_update", toolCallId: event.call, status: "in_progress" }];
    case "call-end":
      return [
        {
          sessionUpdate: "tool_call_update",
          toolCallId: event.call,
          status: event.status === "ok" ? "completed" : "failed",
          title: plain(event.title),
          content: event.result === "" ? [] : [{ type: "content", content: text(event.result) }],
        },
      ];
    case "repair":
      return [
        {
          sessionUpdate: "agent_message_chunk",
          content: text(`\n\nRepairing (${event.attempt} of ${event.limit}): ${event.reason}\n\n`),
        },
      ];
    case "todo":
      return [{ sessionUpdate: "plan", entries: event.items.map(entryOf) }];
    default:
      return [];
  }
}

/** Arguments reduced to what may be shown. */
const shownInput = (input: Record<string, unknown>): unknown =>
  JSON.parse(JSON.stringify(input), (_, value: unknown) =>
    typeof value === "string" ? visible(value) : value,
  );

const text = (message: string) => ({ type: "text" as const, text: plain(message) });

const KINDS: Partial<Record<ToolKind, EditorKind>> = {
  reads: "read",
  writes: "edit",
  moves: "move",
  scaffolds: "execute",
  runs: "execute",
  serves: "execute",
  plans: "think",
};

const entryOf = ({ text: content, status }: TodoItem) => ({
  content: plain(content),
  priority: "medium" as const,
  status: ({ todo: "pending", doing: "in_progress", done: "completed" } as const)[status],
});
