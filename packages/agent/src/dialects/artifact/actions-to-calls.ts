import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createArtifactParser, type ArtifactEvent } from "@treadle/protocol";
import { parseTodo } from "../../todo/todo-text.ts";
import { parseRead } from "./read-action.ts";

type Controller = TransformStreamDefaultController<LanguageModelV4StreamPart>;

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

/** Unique over steps and turns: results are matched to calls by it. */
let streams = 0;

/** Turns the actions in a model's text into tool calls, as they stream. What is not text passes through. */
export function actionsToCalls({
  recover,
}: {
  recover: boolean;
}): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const stream = `artifact-${Date.now().toString(36)}-${++streams}`;
  let controller: Controller;
  let texts = 0;
  let text: string | undefined;
  let artifact: { group: string; id: string; title: string } | undefined;
  let trims = false;

  const closeText = () => {
    if (text !== undefined) controller.enqueue({ type: "text-end", id: text });
    text = undefined;
  };
  const openText = () => {
    if (text === undefined) {
      text = `${stream}.text-${++texts}`;
      controller.enqueue({ type: "text-start", id: text });
    }
    return text;
  };
  const callId = (action: number) => `${stream}-${action}`;

  const parser = createArtifactParser({
    recover,
    onEvent(event: ArtifactEvent) {
      switch (event.type) {
        case "text":
          controller.enqueue({ type: "text-delta", id: openText(), delta: event.text });
          break;
        case "artifact-open":
          artifact = { group: `artifact-${event.artifact}`, id: event.id, title: event.title };
          break;
        case "action-open": {
          closeText();
          const { tool, argument } = toolOf(event.actionType);
          const id = callId(event.action);
          const meta = { treadle: { ...artifact } };
          controller.enqueue({
            type: "tool-input-start",
            id,
            toolName: tool,
            providerMetadata: meta,
          });
          const path =
            event.filePath === undefined ? "" : `"path":${JSON.stringify(event.filePath)},`;
          controller.enqueue({ type: "tool-input-delta", id, delta: `{${path}"${argument}":"` });
          trims = argument !== "content";
          break;
        }
        case "action-delta":
          controller.enqueue({
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
          const content = trims ? event.content.trim() : event.content;
          const input =
            tool === "read_file"
              ? parseRead(content)
              : { ...path, [argument]: tool === "todo" ? parseTodo(content) : content };
          controller.enqueue({ type: "tool-input-delta", id, delta: '"}' });
          controller.enqueue({ type: "tool-input-end", id });
          controller.enqueue({
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

  const end = () => {
    parser.end();
    closeText();
  };
  return new TransformStream({
    start(begun) {
      controller = begun;
    },
    transform(part) {
      switch (part.type) {
        case "text-start":
        case "text-end":
          return;
        case "text-delta":
          return parser.write(part.delta);
        case "finish":
          end();
          break;
        default:
      }
      controller.enqueue(part);
    },
  });
}

function toolOf(actionType: string): { tool: string; argument: string } {
  return Object.hasOwn(ACTIONS, actionType)
    ? (ACTIONS[actionType] ?? { tool: actionType, argument: "content" })
    : { tool: actionType || "action", argument: "content" };
}
