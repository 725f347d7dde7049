import { expect, test } from "vitest";
import { createDataStreamDecoder } from "./decode.ts";
import { createDataStreamEncoder } from "./encode.ts";
import type { DataStreamPart } from "./types.ts";

const PARTS: [DataStreamPart, string][] = [
  [{ type: "text", value: "a\n" }, '0:"a\\n"\n'],
  [{ type: "data", value: [{ a: 1 }] }, '2:[{"a":1}]\n'],
  [{ type: "error", value: "no" }, '3:"no"\n'],
  [{ type: "message_annotations", value: ["x"] }, '8:["x"]\n'],
  [
    { type: "tool_call", value: { toolCallId: "1", toolName: "t", args: {} } },
    '9:{"toolCallId":"1","toolName":"t","args":{}}\n',
  ],
  [
    { type: "tool_result", value: { toolCallId: "1", result: null } },
    'a:{"toolCallId":"1","result":null}\n',
  ],
  [{ type: "finish_message", value: { finishReason: "stop" } }, 'd:{"finishReason":"stop"}\n'],
  [
    { type: "finish_step", value: { finishReason: "stop", isContinued: false } },
    'e:{"finishReason":"stop","isContinued":false}\n',
  ],
  [{ type: "start_step", value: { messageId: "m" } }, 'f:{"messageId":"m"}\n'],
  [{ type: "reasoning", value: "why" }, 'g:"why"\n'],
];

test.each(PARTS)("%j is one line, and is parsed back from single characters", (part, line) => {
  expect(createDataStreamEncoder().encode(part)).toBe(line);
  const decoder = createDataStreamDecoder();
  expect([...line].flatMap((character) => decoder.write(character))).toEqual([part]);
});

test("a line that is not a part is reported as invalid, and parsing continues", () => {
  const decoder = createDataStreamDecoder();
  const parts = decoder.write('z:1\n0:oops\n0:7\n\n0:"ok"\r\n0:"last"');
  expect([...parts, ...decoder.end()]).toMatchObject([
    { type: "invalid", reason: "no known code" },
    { type: "invalid", reason: "no JSON" },
    { type: "invalid", reason: "not the value of a text part" },
    { type: "text", value: "ok" },
    { type: "text", value: "last" },
  ]);
});

test("a line at the limit is read, one past it is invalid", () => {
  const decoder = createDataStreamDecoder(8);
  expect(decoder.write('0:"1234"\n0:"12345"\n')).toMatchObject([
    { type: "text", value: "1234" },
    { type: "invalid" },
  ]);
});
