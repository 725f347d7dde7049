import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from "@ai-sdk/provider";

/**
 * On Chat Completions nothing says that a call is complete: all of them come when the stream closes, and a reset
 * connection loses those that were whole. Here call n is complete when call n+1 opens and its arguments are JSON.
 * Where the provider itself says so (Anthropic, Responses) this changes nothing.
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

function settlingTransform(): TransformStream<
  LanguageModelV4StreamPart,
  LanguageModelV4StreamPart
> {
  const open = new Map<string, OpenCall>();
  const settled = new Set<string>();
  return new TransformStream({
    transform(part, controller) {
      switch (part.type) {
        case "tool-input-start":
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
          // The provider's own word for a call that was settled here already.
          if (settled.has(part.toolCallId)) return;
          open.delete(part.toolCallId);
          break;
        default:
      }
      controller.enqueue(part);
    },
  });

  function settle(
    { id, toolName, pieces }: OpenCall,
    controller: TransformStreamDefaultController<LanguageModelV4StreamPart>,
  ) {
    const input = pieces.join("");
    if (!isJsonObject(input)) return;
    open.delete(id);
    settled.add(id);
    controller.enqueue({ type: "tool-input-end", id });
    controller.enqueue({ type: "tool-call", toolCallId: id, toolName, input });
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
