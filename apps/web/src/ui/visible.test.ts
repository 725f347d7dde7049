import { expect, it } from "vitest";
import { visible } from "./visible.ts";

it("shows characters that are not seen or turn the text around as their numbers (A42)", () => {
  expect(visible("a\u202eb\u200bc\u0007\n\td")).toBe("a\\u{202e}b\\u{200b}c\\u{7}\n\td");
});
