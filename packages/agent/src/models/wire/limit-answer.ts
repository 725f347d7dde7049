import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { headOf } from "@treadle/protocol/safe-text";
import { AnswerLimitError } from "../errors/model-failure.ts";
import { ANSWER_CHARS, ARGUMENT_CHARS } from "./limits.ts";

type Part = LanguageModelV4StreamPart;
type Put = (part: Part) => void;

/**
 * Creates a function that ends an answer over `ANSWER_CHARS`, including files and provider metadata, or one with a call
 * over `ARGUMENT_CHARS`. The beginning that fits passes, followed by an error part with an `AnswerLimitError`, so that
 * nothing before it is lost. The function passes parts to `put`, and returns whether the answer may continue.
 */
export function createAnswerLimit(): (part: Part, put: Put) => boolean {
  let left = ANSWER_CHARS;
  /** Characters of arguments streamed so far, by the provider's id of the call. */
  const streamed = new Map<string, number>();

  return (part, put) => {
    const end = (...limit: ConstructorParameters<typeof AnswerLimitError>) => {
      put({ type: "error", error: new AnswerLimitError(...limit) });
      return false;
    };
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta": {
        const delta = headOf(part.delta, left);
        put({ ...part, delta });
        left -= part.delta.length;
        break;
      }
      case "tool-input-start":
        streamed.set(part.id, 0);
        put(part);
        break;
      case "tool-input-delta": {
        const length = (streamed.get(part.id) ?? 0) + part.delta.length;
        streamed.set(part.id, length);
        left -= part.delta.length;
        if (length > ARGUMENT_CHARS) return end(ARGUMENT_CHARS, "argument");
        if (left >= 0) put(part);
        break;
      }
      case "tool-call": {
        if (part.input.length > ARGUMENT_CHARS) return end(ARGUMENT_CHARS, "argument");
        // Streamed arguments were already counted.
        if ((streamed.get(part.toolCallId) ?? 0) === 0) left -= part.input.length;
        streamed.delete(part.toolCallId);
        if (left >= 0) put(part);
        break;
      }
      case "file":
        if ("data" in part.data) left -= part.data.data.length;
        if (left >= 0) put(part);
        break;
      default:
        put(part);
    }
    left -= rank(part);
    return left >= 0 || end(ANSWER_CHARS, "characters");
  };
}

/**
 * Characters of metadata that the provider needs back: they are kept with the conversation, and sent with every
 * request.
 */
const rank = (part: Part): number =>
  "providerMetadata" in part && part.providerMetadata !== undefined
    ? JSON.stringify(part.providerMetadata).length
    : 0;
