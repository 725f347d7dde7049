import { expect, it } from "vitest";
import { jsonLine } from "./json-line.ts";

const HOSTILE = [
  "\u001b]0;title\u0007",
  "\u001b]52;c;ZWNobw==\u0007",
  "\u001b]8;;https://evil.test\u001b\\link",
  "\u009b2J\u009d0;title\u009c",
  "\u202etxt.exe\u2066 \u200b\u2028",
  "\u{e0041}\u{1f469}\u200d\u{1f4bb}",
  "\r\b\u007f",
];

it.each(HOSTILE)(
  "A41 A42 a line of JSON contains no terminal control characters, and keeps its meaning: %j",
  (text) => {
    const line = jsonLine({ type: "text", [text]: text });
    expect(line).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\n$/u);
    expect(JSON.parse(line)).toEqual({ type: "text", [text]: text });
  },
);
