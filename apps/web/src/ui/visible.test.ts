import { expect, it } from "vitest";
import { visible, visibleProse } from "./visible.ts";

it("shows characters that are not seen or turn the text around as their numbers (A42)", () => {
  expect(visible("a\u202eb\u200bc\u0007\n\td")).toBe("a\\u{202e}b\\u{200b}c\\u{7}\n\td");
});

it("prose shows what hides or turns other text, and keeps what a script is written with (A42)", () => {
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
