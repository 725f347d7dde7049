import { TYPES } from "./codes.ts";
import type { DataStreamDecoder, DataStreamPart, InvalidLine } from "./types.ts";

/** Maximum length of one line, in characters; a longer one is reported as invalid and skipped. */
export const DATA_STREAM_LINE_LIMIT = 16_777_216;

const SHOWN = 200;

/**
 * Parses the lines of a data stream. An unparsable line becomes a part of type `invalid`; never
 * throws.
 */
export function createDataStreamDecoder(limit = DATA_STREAM_LINE_LIMIT): DataStreamDecoder {
  // Joined once: concatenating a long line chunk by chunk and searching it again is quadratic.
  let pieces: string[] = [];
  let length = 0;
  const hold = (piece: string) => {
    if (length <= limit) pieces.push(piece.slice(0, limit + 1));
    length += piece.length;
  };
  const take = (): (DataStreamPart | InvalidLine)[] => {
    const line = pieces.join("").replace(/\r$/, "");
    const tooLong = length > limit;
    pieces = [];
    length = 0;
    if (tooLong) return [invalid(line, `longer than ${limit} characters`)];
    return line === "" ? [] : [decodeLine(line)];
  };
  return {
    write(chunk) {
      const parts: (DataStreamPart | InvalidLine)[] = [];
      let from = 0;
      for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
        hold(chunk.slice(from, end));
        parts.push(...take());
        from = end + 1;
      }
      hold(chunk.slice(from));
      return parts;
    },
    end: take,
  };
}

function decodeLine(line: string): DataStreamPart | InvalidLine {
  const type = line[1] === ":" ? TYPES.get(line[0]!) : undefined;
  if (!type) return invalid(line, "no known code");
  try {
    const value: unknown = JSON.parse(line.slice(2));
    const isRight = TEXTS.includes(type)
      ? typeof value === "string"
      : Array.isArray(value)
        ? LISTS.includes(type)
        : value !== null && typeof value === "object" && !LISTS.includes(type);
    if (isRight) return { type, value } as DataStreamPart;
  } catch {
    return invalid(line, "no JSON");
  }
  return invalid(line, `not the value of a ${type} part`);
}

/** Parts whose value is a string, and those with a list; the value of others is an object. */
const TEXTS = ["text", "error", "reasoning"];
const LISTS = ["data", "message_annotations"];

function invalid(line: string, reason: string): InvalidLine {
  return { type: "invalid", line: line.slice(0, SHOWN), reason };
}
