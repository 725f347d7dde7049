import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainOutput, visible, visibleProse, visibleText, withoutControls } from "./index.ts";

describe("terminal output (A41)", () => {
  it("is read without what colours, retitles, links or writes to the clipboard", () => {
    expect(plainOutput("\u001b[32madded\u001b[0m 12")).toBe("added 12");
    expect(plainOutput("\u001b]8;;https://a.example\u0007click\u001b]8;;\u0007")).toBe("click");
    expect(plainOutput("\u001b]52;c;c2VjcmV0\u001b\\after")).toBe("after");
  });

  it("has of a line that was drawn over its last state", () => {
    expect(plainOutput("10 %\r50 %\r100 %\ndone\r\n")).toBe("100 %\ndone\n");
  });

  it("has nothing left that a terminal obeys, whatever it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        // oxlint-disable-next-line no-control-regex -- what must not be there
        expect(withoutControls(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
    );
    expect(withoutControls("a\tb\nc\u009b2Jd\u0007")).toBe("a\tb\nc2Jd");
  });
});

describe("marks that hide or turn text (A42)", () => {
  it("are shown by their numbers in a label, with all else that is not seen", () => {
    expect(visible("a\u202eb\u200bc\u0007\n\td")).toBe("a\\u{202e}b\\u{200b}c\\u{7}\n\td");
  });

  it("are shown in a stranger's text, but for the joiners that scripts need", () => {
    expect(visibleText("a\u202eb\u200bc می\u200cخواهم")).toBe(
      "a\\u{202e}b\\u{200b}c می\u200cخواهم",
    );
  });

  it("are all of prose that is shown so: it keeps what a script is written with", () => {
    expect(visibleProse("a\u202etxt.exe\u2066b\u{e0041}c")).toBe(
      "a\\u{202e}txt.exe\\u{2066}b\\u{e0041}c",
    );
    for (const text of [
      "שלום\u200f (עולם)!",
      "می\u200cخواهم",
      "👩‍👩‍👧 and \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    ])
      expect(visibleProse(text)).toBe(text);
  });
});
