import { describe, expect, it } from "vitest";
import { createPressedKeys, keySequence, withControl } from "./pressed-keys.ts";

describe("keys missing on a phone's keyboard", () => {
  it("send the sequences that programs expect", () => {
    expect(keySequence("Up", false, false)).toBe("\x1b[A");
    expect(keySequence("Up", false, true)).toBe("\x1bOA");
    expect(keySequence("Left", true, true)).toBe("\x1b[1;5D");
    expect(keySequence("Tab", false, false)).toBe("\t");
    expect(["c", "C", "[", " ", "1", "ß"].map(withControl)).toEqual([
      "\x03",
      "\x03",
      "\x1b",
      "\0",
      "1",
      "ß",
    ]);
  });

  it("hold Ctrl for one character, but not for the screen's own answers", () => {
    const sent: string[] = [];
    const { keys, typed } = createPressedKeys(
      (data) => sent.push(typed(data)),
      () => false,
    );
    let released = 0;
    keys.onReleased(() => released++);
    keys.hold(true);
    expect(typed("\x1b[1;1R")).toBe("\x1b[1;1R");
    expect(typed("c")).toBe("\x03");
    expect(typed("c")).toBe("c");
    keys.hold(true);
    keys.press("Right");
    keys.press("Right");
    expect(sent).toEqual(["\x1b[1;5C", "\x1b[C"]);
    expect(released).toBe(2);
  });
});
