import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createToolTagParser, type ToolTagEvent } from "@treadle/protocol";
import { lastLineEnd, readValue, type TagTool } from "./tag-tools.ts";

type Controller = TransformStreamDefaultController<LanguageModelV4StreamPart>;

/** Unique over steps and turns: results are matched to calls by it. */
let made = 0;

/** Turns the tools in a model's text into tool calls, as they stream. What is not text passes through. */
export function tagsToCalls(
  tools: readonly TagTool[],
): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const stream = `tags-${Date.now().toString(36)}-${++made}`;
  const kinds = new Map(tools.map(({ name, params }) => [name, params]));
  let controller: Controller;
  let texts = 0;
  let text: string | undefined;
  /** What stands before the next parameter of the call that is being written. */
  let before = "";

  const closeText = () => {
    if (text !== undefined) controller.enqueue({ type: "text-end", id: text });
    text = undefined;
  };
  const callId = (tool: number) => `${stream}-${tool}`;
  const delta = (tool: number, json: string) =>
    controller.enqueue({ type: "tool-input-delta", id: callId(tool), delta: json });

  let current = "";
  const kindOf = (param: string) => kinds.get(current)?.get(param) ?? "text";
  /** Whether the value is told as it comes: others are read when they are whole. */
  const streams = (param: string) => kindOf(param) === "text" || kindOf(param) === "file";

  const parser = createToolTagParser({
    tools: Object.fromEntries(tools.map(({ name, params }) => [name, [...params.keys()]])),
    onEvent(event: ToolTagEvent) {
      switch (event.type) {
        case "text":
          if (text === undefined) {
            text = `${stream}.text-${++texts}`;
            controller.enqueue({ type: "text-start", id: text });
          }
          controller.enqueue({ type: "text-delta", id: text, delta: event.text });
          break;
        case "tool-open":
          closeText();
          current = event.name;
          before = "{";
          controller.enqueue({
            type: "tool-input-start",
            id: callId(event.tool),
            toolName: event.name,
          });
          break;
        case "param-open":
          delta(event.tool, `${before}${JSON.stringify(event.name)}:`);
          before = ",";
          if (streams(event.name)) delta(event.tool, '"');
          break;
        case "param-delta":
          if (streams(event.name)) delta(event.tool, JSON.stringify(event.text).slice(1, -1));
          break;
        case "param-close": {
          const kind = kindOf(event.name);
          if (kind === "file" && lastLineEnd(event.value) !== "") delta(event.tool, "\\n");
          delta(
            event.tool,
            streams(event.name) ? '"' : JSON.stringify(readValue(kind, event.value)),
          );
          break;
        }
        case "tool-close": {
          // Left open: the loop interrupts what is not complete.
          if (!event.complete) break;
          const id = callId(event.tool);
          delta(event.tool, before === "{" ? "{}" : "}");
          const input = Object.fromEntries(
            Object.entries(event.params).map(([name, value]) => [
              name,
              readValue(kindOf(name), value),
            ]),
          );
          controller.enqueue({ type: "tool-input-end", id });
          controller.enqueue({
            type: "tool-call",
            toolCallId: id,
            toolName: event.name,
            input: JSON.stringify(input),
          });
          break;
        }
        default:
      }
    },
  });

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
          parser.end();
          closeText();
          break;
        default:
      }
      controller.enqueue(part);
    },
  });
}
