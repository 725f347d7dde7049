import { createArtifactParser, type ArtifactEvent } from "@treadle/protocol";
import { parseTodo } from "../../todo/todo-text.ts";
import type { TextOut, TextReader } from "../text-answer.ts";
import { plainContent } from "../plain-content.ts";
import { parseRead } from "./read-action.ts";

/** The tool that runs an action, and the argument that its content is. Other types become calls of an unknown tool. */
const ACTIONS: Record<string, { tool: string; argument: string }> = {
  file: { tool: "write_file", argument: "content" },
  shell: { tool: "run_command", argument: "command" },
  build: { tool: "run_command", argument: "command" },
  start: { tool: "start_server", argument: "command" },
  skill: { tool: "use_skill", argument: "name" },
  read: { tool: "read_file", argument: "path" },
  outline: { tool: "outline", argument: "path" },
  todo: { tool: "todo", argument: "items" },
  finish: { tool: "finish", argument: "done" },
};

/** Reads the actions in a model's text and tells them as tool calls, as they stream. */
export function readActions(
  { say, put, callId, groupId }: TextOut,
  { recover }: { recover: boolean },
): TextReader {
  let artifact: { group: string; id: string; title: string } | undefined;
  let trims = false;

  return createArtifactParser({
    recover,
    onEvent(event: ArtifactEvent) {
      switch (event.type) {
        case "text":
          return say(event.text);
        case "artifact-open":
          // One that is opened again, as after a cut, is the same.
          if (event.id !== "" && event.id === artifact?.id) break;
          artifact = { group: groupId(event.artifact), id: event.id, title: event.title };
          break;
        case "action-open": {
          const { tool, argument } = toolOf(event.actionType);
          const id = callId(event.action);
          const meta = { treadle: { ...artifact } };
          put({
            type: "tool-input-start",
            id,
            toolName: tool,
            providerMetadata: meta,
          });
          const path =
            event.filePath === undefined ? "" : `"path":${JSON.stringify(event.filePath)},`;
          put({ type: "tool-input-delta", id, delta: `{${path}"${argument}":"` });
          trims = argument !== "content";
          break;
        }
        case "action-delta":
          put({
            type: "tool-input-delta",
            id: callId(event.action),
            delta: JSON.stringify(event.text).slice(1, -1),
          });
          break;
        case "action-close": {
          const id = callId(event.action);
          // Left open: the loop interrupts what is not complete.
          if (!event.complete) break;
          const { tool, argument } = toolOf(event.actionType);
          const path = event.filePath === undefined ? {} : { path: event.filePath };
          const content = trims
            ? event.content.trim()
            : plainContent(event.filePath ?? "", event.content);
          const input =
            tool === "read_file"
              ? parseRead(content)
              : { ...path, [argument]: tool === "todo" ? parseTodo(content) : content };
          put({ type: "tool-input-delta", id, delta: '"}' });
          put({ type: "tool-input-end", id });
          put({
            type: "tool-call",
            toolCallId: id,
            toolName: tool,
            input: JSON.stringify(input),
            providerMetadata: { treadle: { ...artifact, actionType: event.actionType } },
          });
          break;
        }
        default:
      }
    },
  });
}

function toolOf(actionType: string): { tool: string; argument: string } {
  return Object.hasOwn(ACTIONS, actionType)
    ? (ACTIONS[actionType] ?? { tool: actionType, argument: "content" })
    : { tool: actionType || "action", argument: "content" };
}
