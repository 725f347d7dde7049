import { TYPES } from "./codes.ts";
import type { DataStreamDecoder, DataStreamPart, InvalidLine } from "./types.ts";

/** Characters of one line; a longer one is told as invalid and passed over. */
export const DATA_STREAM_LINE_LIMIT = 16_777_216;

const SHOWN = 200;

/** Reads the lines of a data stream. What cannot be read is a part of type `invalid`; nothing makes it throw. */
export function createDataStreamDecoder(limit = DATA_STREAM_LINE_LIMIT): DataStreamDecoder {
  // Joined once: concatenating a long line piece by piece and searching it again is quadratic.
  let pieces: string[] = [];
  let length = 0;
  const hold = (piece: string) => {
    length += piece.length;
    if (length <= limit || pieces.length === 0) pieces.push(piece.slice(0, limit + 1));
  };
  const take = (): DataStreamPart | InvalidLine | undefined => {
    const line = pieces.join("").replace(/\r$/, "");
    const tooLong = length > limit;
    pieces = [];
    length = 0;
    if (tooLong) return invalid(line, `longer than ${limit} characters`);
    return line === "" ? undefined : decodeLine(line);
  };
  return {
    write(chunk) {
      const parts: (DataStreamPart | InvalidLine)[] = [];
      let from = 0;
      for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
        hold(chunk.slice(from, end));
        const part = take();
        if (part) parts.push(part);
        from = end + 1;
      }
      if (from < chunk.length) hold(chunk.slice(from));
      return parts;
    },
    end() {
      const part = take();
      return part ? [part] : [];
    },
  };
}

function decodeLine(line: string): DataStreamPart | InvalidLine {
  const type = line.charAt(1) === ":" ? TYPES.get(line.charAt(0)) : undefined;
  if (!type) return invalid(line, "no known code");
  let value: unknown;
  try {
    value = JSON.parse(line.slice(2));
  } catch {
    return invalid(line, "no JSON");
  }
  if (!fits(type, value)) return invalid(line, `not the value of a ${type} part`);
  return { type, value } as DataStreamPart;
}

function fits(type: DataStreamPart["type"], value: unknown): boolean {
  switch (type) {
    case "text":
    case "error":
    case "reasoning":
      return typeof value === "string";
    case "data":
    case "message_annotations":
      return Array.isArray(value);
    default:
      return typeof value === "object" && value !== null && !Array.isArray(value);
  }
}

function invalid(line: string, reason: string): InvalidLine {
  return { type: "invalid", line: line.slice(0, SHOWN), reason };
}
