import { createDataStreamDecoder } from "../data-stream/decode.ts";
import { createDataStreamEncoder } from "../data-stream/encode.ts";
import type { DataStreamPart } from "../data-stream/types.ts";
import { differs, mangle, Random } from "./random.test-support.ts";

export function checkDataStream(seed: number): string | undefined {
  const random = new Random(seed);
  const encoder = createDataStreamEncoder();
  const parts = Array.from({ length: random.below(8) }, (): DataStreamPart => {
    const value = random.text(["a", "\n", '"', "\\", "é", "\u{1f600}", "0:"], 8);
    return random.pick<DataStreamPart>([
      { type: "text", value },
      { type: "data", value: [value, { value }] },
      { type: "error", value },
      { type: "reasoning", value },
      { type: "tool_call", value: { toolCallId: "1", toolName: value, args: { value } } },
      { type: "finish_message", value: { finishReason: "stop" } },
    ]);
  });
  const text = parts.map((part) => encoder.encode(part)).join("");
  const read = decodeAll(random.cut(text));
  const wrong = differs(read, parts);
  if (wrong) return wrong;
  const garbled = mangle(random, text);
  return differs(decodeAll(random.cut(garbled)), decodeAll([garbled]));
}

function decodeAll(pieces: readonly string[]): unknown[] {
  const decoder = createDataStreamDecoder();
  return [...pieces.flatMap((piece) => decoder.write(piece)), ...decoder.end()];
}
