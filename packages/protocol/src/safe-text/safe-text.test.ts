import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  plainOutput,
  visible,
  visibleExactly,
  visibleProse,
  visibleText,
  withoutControls,
} from "./index.ts";

describe("terminal output (A41)", () => {
  it("loses sequences that colour, set titles, link or write to the clipboard", () => {
    expect(plainOutput("\u001b[32madded\u001b[0m 12")).toBe("added 12");
    expect(plainOutput("\u001b]8;;https://a.example\u0007click\u001b]8;;\u0007")).toBe("click");
    expect(plainOutput("\u001b]52;c;c2VjcmV0\u001b\\after")).toBe("after");
  });

  it("contains only the last state of a redrawn line", () => {
    expect(plainOutput("10 %\r50 %\r100 %\ndone\r\n")).toBe("100 %\ndone\n");
  });

  it("contains nothing that a terminal obeys, whatever the input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        // oxlint-disable-next-line no-control-regex -- what must not be there
        expect(withoutControls(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
    );
    expect(withoutControls("a\tb\nc\u009b2Jd\u0007")).toBe("a\tb\nc2Jd");
  });
});

describe("characters that hide or reorder text (A42)", () => {
  it("are shown by code point in a label, like everything else invisible", () => {
    expect(visible("a\u202eb\u200bc\u0007\n\td")).toBe("a\\u{202e}b\\u{200b}c\\u{7}\n\td");
  });

  it.each([
    ["the braille pattern without dots", "\u2800"],
    ["an empty notehead", "\u{1d159}"],
    ["a blank of hieroglyphs", "\u{13441}"],
    ["a filler of Khitan", "\u{16fe4}"],
    ["a Hangul filler", "\u3164"],
    ["a filler of half its width", "\uffa0"],
    ["an initial filler", "\u115f"],
    ["a grapheme joiner", "\u034f"],
    ["a variation selector", "\ufe01"],
    ["a Mongolian vowel separator", "\u180e"],
    ["a mark on its own", "\u0301"],
  ])("A169 shows %s by its code point", (_what, mark) => {
    const shown = `\\u{${mark.codePointAt(0)!.toString(16)}}`;
    expect(visible(`rm ${mark}`)).toBe(`rm ${shown}`);
  });

  it("A169 shows a pile of combining marks by code points, but not the marks of a normal letter", () => {
    expect(visible(`a${"\u0301".repeat(6)}b`)).toBe(`a${"\u0301".repeat(4)}\\u{301}\\u{301}b`);
    for (const text of ["Tiê\u0301ng Viê\u0323t", "नमस्ते", "ไม่ได้", "בְּרֵאשִׁית", "❤️ done"])
      expect(visible(text)).toBe(text);
  });

  it("A169 shows text to be approved exactly: a blank other than the space by its code point", () => {
    expect(visibleExactly("rm\u00a0-rf\u3000/ \n\tx")).toBe("rm\\u{a0}-rf\\u{3000}/ \n\tx");
  });

  it("A169 leaves nothing invisible, in a single pass", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visibleExactly(text)).not.toMatch(
          /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u2800\u00a0]/u,
        );
      }),
    );
    const start = performance.now();
    visible("\u0301".repeat(200_000));
    visible(`a${"\u0301".repeat(200_000)}`);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it("are shown in untrusted text, except for joiners that scripts need", () => {
    expect(visibleText("a\u202eb\u200bc می\u200cخواهم")).toBe(
      "a\\u{202e}b\\u{200b}c می\u200cخواهم",
    );
  });

  it("are the only ones shown in prose, which keeps the characters of its script", () => {
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
