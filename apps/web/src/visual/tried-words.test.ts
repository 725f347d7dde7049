import { describe, expect, it } from "vitest";
import type { Picked } from "./picked.ts";
import { asWritten } from "./tried-words.ts";

const paragraph = { tag: "p", text: "Tried", path: [["html", 0] as [string, number], ["p", 1]] };
const tried = { words: "Tried", written: "Written", path: paragraph.path as Picked["path"] };

describe("an element that shows text which its source does not have yet", () => {
  it("is described with the text of its source", () => {
    expect(asWritten(paragraph as Picked, tried).text).toBe("Written");
  });

  it("another element, or none, is described unchanged", () => {
    const other = {
      ...paragraph,
      path: [
        ["html", 0],
        ["p", 2],
      ],
    } as Picked;
    expect(asWritten(other, tried)).toBe(other);
    expect(asWritten(undefined, tried)).toBeUndefined();
    expect(asWritten(paragraph as Picked, undefined).text).toBe("Tried");
  });
});
