/** A JSON value, as the parts of the data stream carry it. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue | undefined };

/** Tokens of the model calls that a part summarises. */
export interface StreamUsage {
  promptTokens: number;
  completionTokens: number;
}

/**
 * One part of the AI SDK's data stream, version 1: a line with a code, a colon and JSON.
 * `start_step` and `finish_step` enclose each model call; `finish_message` comes last.
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

/** A line that is not a part: its code is unknown, it is not JSON, or it exceeds the limit. */
export interface InvalidLine {
  type: "invalid";
  /** The line, or its first 200 characters. */
  line: string;
  reason: string;
}

/** Formats parts as lines. Stateless. */
export interface DataStreamEncoder {
  /** The part as one line, including its line break. */
  encode(part: DataStreamPart): string;
}

/** Parses parts from text in chunks. Never throws. */
export interface DataStreamDecoder {
  /** Takes only new text, in chunks of any size; returns the parts that it completed. */
  write(chunk: string): (DataStreamPart | InvalidLine)[];
  /** Returns the parts of a last line without a line break. */
  end(): (DataStreamPart | InvalidLine)[];
}
