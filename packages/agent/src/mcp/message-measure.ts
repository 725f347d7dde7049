import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { MESSAGE_BYTES, VALUES } from "./limits.ts";
import { McpError } from "./types.ts";

const LF = 10;
const CR = 13;
const QUOTE = 34;
const BACKSLASH = 92;
/** Bytes that begin or separate values: the comma and both opening brackets. */
const COMMA = 44;
const BRACKET = 91;
const BRACE = 123;

/**
 * Measures a JSON message while it arrives, before it is parsed: parsing and checking 100,000 small values takes longer
 * than reading megabytes of text, and blocks everybody else meanwhile.
 */
export function createMessageMeasure() {
  let bytes = 0;
  let values = 0;
  let inText = false;
  let escaped = false;
  return {
    /** @returns the error if a limit is exceeded */
    add(piece: Uint8Array): McpError | undefined {
      bytes += piece.length;
      if (bytes > MESSAGE_BYTES)
        return tooLarge(
          sentence("mcp-message-too-large", { megabytes: MESSAGE_BYTES / 1024 / 1024 }),
        );
      for (const byte of piece) {
        // A JSON string cannot contain a line end, so an unclosed quote in another field of an event hides nothing
        // (A77).
        if (byte === LF || byte === CR) inText = escaped = false;
        else if (inText) {
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) inText = false;
        } else if (byte === QUOTE) inText = true;
        else if (byte === COMMA || byte === BRACKET || byte === BRACE) values++;
      }
      return values > VALUES
        ? tooLarge(sentence("mcp-message-values", { limit: VALUES }))
        : undefined;
    },
    /** Call when the next message begins. */
    reset(): void {
      bytes = values = 0;
      inText = escaped = false;
    },
  };
}

const tooLarge = (why: Sentence) => new McpError("too-large", why);
