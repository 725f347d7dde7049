import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createSurrogateJoiner, type SurrogateJoiner } from "@treadle/dialects/text";
import { isTooDeep, MAX_JSON_DEPTH } from "../../text/json-value.ts";

type Part = LanguageModelV4StreamPart;
type Put = (part: Part) => void;

/**
 * Creates a function that cleans the parts of a provider's stream: text is well formed even if a character was divided,
 * call ids within one answer are unique, and arguments that nest too deep are dropped, because recursive readers would
 * exhaust the stack. The function passes the resulting parts to `put`.
 */
export function createStreamCleaner(): (part: Part, put: Put) => void {
  const texts = new Map<string, SurrogateJoiner>();
  const used = new Set<string>();
  /** Ids given to calls that have begun and are not complete, by the provider's id, oldest first. */
  const open = new Map<string, string[]>();

  const joinerOf = (key: string) => {
    const joiner = texts.get(key) ?? createSurrogateJoiner();
    texts.set(key, joiner);
    return joiner;
  };
  const beginCall = (id: string) => {
    let name = id;
    for (let count = 2; used.has(name); count++) name = `${id}_${count}`;
    used.add(name);
    const waiting = open.get(id);
    if (waiting) waiting.push(name);
    else open.set(id, [name]);
    return name;
  };
  const newest = (id: string) => open.get(id)?.at(-1) ?? id;
  const completeCall = (id: string) => {
    if (!open.get(id)?.length) beginCall(id);
    const name = open.get(id)!.shift()!;
    if (open.get(id)!.length === 0) open.delete(id);
    return name;
  };

  return (part, put) => {
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta": {
        const kind = part.type === "text-delta" ? "text" : "reasoning";
        const delta = joinerOf(`${kind} ${part.id}`).write(part.delta);
        // A part without text may carry metadata that the provider needs back.
        if (delta !== "" || part.delta === "" || part.providerMetadata !== undefined)
          put({ ...part, delta });
        return;
      }
      case "text-end":
      case "reasoning-end": {
        // Half a character at the end was cut by the output limit; the rest of the answer repeats it.
        texts.delete(`${part.type === "text-end" ? "text" : "reasoning"} ${part.id}`);
        return put(part);
      }
      case "tool-input-start":
        return put({ ...part, id: beginCall(part.id) });
      case "tool-input-delta": {
        const id = newest(part.id);
        const delta = joinerOf(`call ${id}`).write(part.delta);
        if (delta !== "") put({ ...part, id, delta });
        return;
      }
      case "tool-input-end": {
        const id = newest(part.id);
        texts.delete(`call ${id}`);
        return put({ ...part, id });
      }
      case "tool-call": {
        const toolCallId = completeCall(part.toolCallId);
        const input = part.input.toWellFormed();
        if (!isTooDeep(input)) return put({ ...part, toolCallId, input });
        const refused = `the arguments nest more than ${MAX_JSON_DEPTH} deep.`;
        const treadle = { ...part.providerMetadata?.["treadle"], refused };
        return put({
          ...part,
          toolCallId,
          input: "{}",
          providerMetadata: { ...part.providerMetadata, treadle },
        });
      }
      default:
        put(part);
    }
  };
}
