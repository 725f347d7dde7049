import type { DataStreamPartType } from "./types.ts";

/** The code at the start of a part's line. */
export const CODES = {
  text: "0",
  data: "2",
  error: "3",
  message_annotations: "8",
  tool_call: "9",
  tool_result: "a",
  tool_call_streaming_start: "b",
  tool_call_delta: "c",
  finish_message: "d",
  finish_step: "e",
  start_step: "f",
  reasoning: "g",
} as const satisfies Record<DataStreamPartType, string>;

export const TYPES: ReadonlyMap<string, DataStreamPartType> = new Map(
  Object.entries(CODES).map(([type, code]) => [code, type as DataStreamPartType]),
);
