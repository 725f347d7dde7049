/** A JSON value, as the parts of the data stream carry it. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue | undefined };

/** Tokens of the model calls that a part sums up. */
export interface StreamUsage {
  promptTokens: number;
  completionTokens: number;
}

/**
 * One part of the AI SDK's data stream, version 1: a line of a code, a colon and JSON. `start_step` and `finish_step`
 * enclose each model call; `finish_message` comes last.
 */
export type DataStreamPart =
  | { type: "text"; value: string }
  | { type: "data"; value: JsonValue[] }
  | { type: "error"; value: string }
  | { type: "message_annotations"; value: JsonValue[] }
  | { type: "tool_call"; value: { toolCallId: string; toolName: string; args: JsonValue } }
  | { type: "tool_result"; value: { toolCallId: string; result: JsonValue } }
  | { type: "tool_call_streaming_start"; value: { toolCallId: string; toolName: string } }
  | { type: "tool_call_delta"; value: { toolCallId: string; argsTextDelta: string } }
  | { type: "finish_message"; value: { finishReason: string; usage?: StreamUsage } }
  | {
      type: "finish_step";
      value: { finishReason: string; usage?: StreamUsage; isContinued?: boolean };
    }
  | { type: "start_step"; value: { messageId: string } }
  | { type: "reasoning"; value: string };

/** The names of the parts. */
export type DataStreamPartType = DataStreamPart["type"];

/** A line that is no part: its code is unknown, it is no JSON, or it is longer than the limit. */
export interface InvalidLine {
  type: "invalid";
  /** The line, or its first 200 characters. */
  line: string;
  reason: string;
}

/** Writes parts as lines. Keeps nothing between them. */
export interface DataStreamEncoder {
  /** The part as one line, its line break included. */
  encode(part: DataStreamPart): string;
}

/** Reads parts from text that arrives in pieces. Never throws. */
export interface DataStreamDecoder {
  /** Takes only what is new, in pieces of any size; the parts that it completed. */
  write(chunk: string): (DataStreamPart | InvalidLine)[];
  /** The parts of a last line without a line break. */
  end(): (DataStreamPart | InvalidLine)[];
}
