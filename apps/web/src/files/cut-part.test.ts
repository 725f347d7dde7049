import { describe, expect, it } from "vitest";
import { cutPart } from "./cut-part.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("a part of a long file", () => {
  it("ends where a line does, and the parts together are the file", () => {
    const content = bytes("one\ntwo\nthrée\nfour");
    let text = "";
    for (let at = 0; at < content.length;) {
      const piece = content.subarray(at, at + 7);
      const part = cutPart(piece, at + 7 >= content.length);
      expect(part.size).toBeGreaterThan(0);
      text += part.text;
      at += part.size;
    }
    expect(text).toBe("one\ntwo\nthrée\nfour");
    expect(cutPart(content.subarray(0, 9), false)).toEqual({
      text: "one\ntwo\n",
      size: 8,
      lines: 2,
    });
  });

  it("ends with a complete character if a line is longer than the part", () => {
    expect(cutPart(bytes("aé").subarray(0, 2), false)).toMatchObject({ text: "a", size: 1 });
    expect(cutPart(bytes("ab😀").subarray(0, 5), false)).toMatchObject({ text: "ab", size: 2 });
    expect(cutPart(bytes("aé"), false)).toMatchObject({ text: "aé", size: 3 });
    // Invalid UTF-8 still advances.
    expect(cutPart(new Uint8Array([0x80, 0x80, 0x80]), false).size).toBeGreaterThan(0);
  });
});
