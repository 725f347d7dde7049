import { CODES } from "./codes.ts";
import type { DataStreamEncoder } from "./types.ts";

/** Formats parts as lines of the data stream. */
export function createDataStreamEncoder(): DataStreamEncoder {
  return {
    encode: ({ type, value }) => `${CODES[type]}:${JSON.stringify(value)}\n`,
  };
}
