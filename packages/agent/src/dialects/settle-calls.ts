import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from "@ai-sdk/provider";

import { isTooDeep } from "../text/json-value.ts";

type Part = LanguageModelV4StreamPart;
type Controller = TransformStreamDefaultController<Part>;

/**
 * Makes all providers report in the same way when a call is complete.
 *
 * Chat Completions does not report it: all calls arrive when the stream closes, for whatever reason, and a reset
 * connection loses complete ones. Here call n is complete when call n+1 opens and its arguments are valid JSON, and the
 * last ones when the stream has a finish reason. If the provider reports it itself (Anthropic, Responses), that is used.
 */
export function settleCalls(): LanguageModelV4Middleware {
  return {
    specificationVersion: "v4",
    async wrapStream({ doStream }) {
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: stream.pipeThrough(settlingTransform()) };
    },
  };
}

interface OpenCall {
  id: string;
  toolName: string;
  pieces: string[];
}

function settlingTransform(): TransformStream<Part, Part> {
  const open = new Map<string, OpenCall>();
  const settled = new Set<string>();
  /** Calls that nothing has followed yet: what follows shows whether the stream ended properly. */
  let held: Part[] = [];

  const release = (controller: Controller) => {
    for (const part of held) controller.enqueue(part);
    held = [];
  };
  const settle = ({ id, toolName, pieces }: OpenCall, controller: Controller) => {
    const input = pieces.join("");
    if (isTooDeep(input) || !isJsonObject(input)) return;
    open.delete(id);
    settled.add(id);
    controller.enqueue({ type: "tool-input-end", id });
    controller.enqueue({ type: "tool-call", toolCallId: id, toolName, input });
  };

  return new TransformStream({
    transform(part, controller) {
      switch (part.type) {
        case "tool-input-start":
          release(controller);
          for (const call of open.values()) settle(call, controller);
          if (!part.providerExecuted)
            open.set(part.id, { id: part.id, toolName: part.toolName, pieces: [] });
          break;
        case "tool-input-delta":
          if (settled.has(part.id)) return;
          open.get(part.id)?.pieces.push(part.delta);
          break;
        case "tool-input-end":
          if (settled.has(part.id)) return;
          break;
        case "tool-call":
          // The provider's own call, after it was already settled here.
          if (settled.has(part.toolCallId)) return;
          open.delete(part.toolCallId);
          held.push(part);
          return;
        case "text-start":
        case "reasoning-start":
          release(controller);
          break;
        case "finish":
          // At the output limit the last call may have been cut inside its arguments.
          if (part.finishReason.unified === "length")
            held = held.filter((call) => call.type !== "tool-call" || isJsonObject(call.input));
          if (saysWhy(part)) release(controller);
          break;
        default:
      }
      controller.enqueue(part);
    },
  });
}

/** Whether the finish part gives a reason. Some providers send `other` if they received none. */
function saysWhy({ finishReason: { unified, raw } }: Part & { type: "finish" }): boolean {
  if (unified === "interrupted" || unified === "error") return false;
  return unified !== "other" || raw !== undefined;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
