import fc from "fast-check";
import { expect, it } from "vitest";
import { inFormOf, plainText } from "./index.ts";

it.each([
  ["the mark and CRLF of a file", "\ufeffa\r\nb\r\n", "xa\nb\n", "\ufeffxa\r\nb\r\n"],
  ["a file without a mark, though the new text has one", "a\nb\n", "\ufeffc\n", "c\n"],
  ["line feeds, though the new text has CRLF", "a\nb\n", "c\r\nd\r\n", "c\nd\n"],
  ["carriage returns alone", "a\rb\r", "a\nc\nb\n", "a\rc\rb\r"],
  ["a missing last line end", "a\r\nb", "a\nb\nc", "a\r\nb\r\nc"],
  [
    "each line's own end in a mixed file",
    "one\r\ntwo\nthree\r\n",
    "x\ntwo\nthree\n",
    "x\r\ntwo\nthree\r\n",
  ],
  [
    "the end of the line before, for lines that are new",
    "a\r\nb\nc\r\n",
    "a\nb\nnew\nc\n",
    "a\r\nb\nnew\nc\r\n",
  ],
  [
    "the end of the first line, for lines that are put before it",
    "a\r\nb\n",
    "new\na\nb\n",
    "new\r\na\r\nb\n",
  ],
  ["a carriage return inside a line of a file with line feeds", "a\rb\n", "a\rb\nc\n", "a\rb\nc\n"],
  ["the new text's line ends, if the file has no line end", "a", "a\r\nb", "a\r\nb"],
  ["the new text whole, if the file is empty", "", "\ufeffa\r\nb", "\ufeffa\r\nb"],
])("keeps %s", (_, original, text, expected) => {
  expect(inFormOf(original, text)).toBe(expected);
});

const text = fc
  .array(fc.constantFrom("a", "b", "\n", "\r\n", "\r", "\ufeff", ""), { maxLength: 30 })
  .map((parts) => parts.join(""));

it("returns a file unchanged that nobody edited", () => {
  fc.assert(
    fc.property(text, (file) => {
      expect(inFormOf(file, plainText(file))).toBe(file);
    }),
  );
});

it("changes only the mark and line endings of the new text", () => {
  fc.assert(
    fc.property(text, text, (file, written) => {
      const edited = plainText(written);
      expect(plainText(inFormOf(file, edited))).toBe(plainText(edited));
    }),
  );
});

it("keeps the unchanged lines of a file with mixed line endings", () => {
  const line = fc.tuple(fc.nat({ max: 1e6 }), fc.constantFrom("\n", "\r\n"));
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { minLength: 2, selector: ([id]) => id }),
      fc.nat(),
      (lines, at) => {
        const file = lines.map(([id, end]) => `${id}${end}`);
        const changed = at % lines.length;
        const edited = lines.map(([id], index) => (index === changed ? "changed\n" : `${id}\n`));
        const result = inFormOf(file.join(""), edited.join(""));
        const expected = file.map((one, index) =>
          index === changed ? `changed${lines[index]![1]}` : one,
        );
        expect(result).toBe(expected.join(""));
      },
    ),
  );
});
