import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { headOf } from "@treadle/protocol/safe-text";
import { AnswerLimitError } from "../errors/model-failure.ts";
import { ANSWER_CHARS, ARGUMENT_CHARS } from "./limits.ts";

type Part = LanguageModelV4StreamPart;
type Put = (part: Part) => void;

/**
 * Ends an answer that goes over `ANSWER_CHARS`, files and what the provider wants back counted, or whose call goes over `ARGUMENT_CHARS`: as much of it as fits passes,
 * then comes an `AnswerLimitError` as a part of the stream, so that nothing before it is lost.
 * The function takes a part and puts what passes; it returns whether the answer may go on.
 */
export function createAnswerLimit(): (part: Part, put: Put) => boolean {
  let left = ANSWER_CHARS;
  /** Characters of calls whose arguments stream, by the provider's id. */
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
        // What has streamed was counted as it came.
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

/** Characters that the provider wants back with a part: they are kept with the conversation, and sent with every request. */
const rank = (part: Part): number =>
  "providerMetadata" in part && part.providerMetadata !== undefined
    ? JSON.stringify(part.providerMetadata).length
    : 0;
