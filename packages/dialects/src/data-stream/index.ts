export { createDataStreamDecoder, DATA_STREAM_LINE_LIMIT } from "./decode.ts";
export { createDataStreamEncoder } from "./encode.ts";
export type {
  DataStreamDecoder,
  DataStreamEncoder,
  DataStreamPart,
  DataStreamPartType,
  InvalidLine,
  JsonValue,
  StreamUsage,
} from "./types.ts";
