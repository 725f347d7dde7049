import fc from "fast-check";
import { expect, it } from "vitest";
import { MARKS } from "./marks.ts";
import { createShownWords } from "./shown-words.ts";

function shownOf(text: string, size: number): string {
  const words = createShownWords();
  let shown = "";
  for (let at = 0; at < text.length; at += size) shown += words.write(text.slice(at, at + size));
  return shown + words.end();
}

it.each(MARKS.filter(({ tags }) => tags))("$product: does not show its tags", ({ example }) => {
  const shown = shownOf(`Okay.\n\n${example}\n\nDone.\n`, 7);
  expect(shown).not.toMatch(/<\/?[\w｜]/);
  expect(shown).toContain("Okay.");
  expect(shown).toContain("Done.");
});

it.each([
  "Use `<tool_call>` so.\n",
  "```xml\n<write_file>\n<path>a</path>\n</write_file>\n```\nDone.\n",
  "a < b, [x](y), <div>, a * b and <b>bold</b>\n",
  "- [x] done\n***\nend",
])("shows %j unchanged", (text) => {
  expect(shownOf(text, 1)).toBe(text);
});

it("leaves out the marks of patches and blocks", () => {
  const text = "So:\n*** Begin Patch\n*** Add File: a.ts\n+a\n*** End Patch\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
  expect(shownOf(text, 3)).not.toMatch(/Patch|SEARCH|REPLACE|=====/);
}); // prettier-ignore

it("treats consecutive backticks as one mark, in any chunking", () => {
  const text = "a``</tool_call>";
  expect(shownOf(text, 1)).toBe(shownOf(text, text.length));
});

it("shows the same in any chunking", () => {
  const parts = ["a", " ", "\n", "<", ">", "`", "```\n", "<tool_call>", "</tool_call>", "<lov-write file_path=\"a\">", "</lov-write>", "[TOOL_CALLS]", "<|im_end|>", "*** Begin Patch\n", "=======\n", "<path>", "~~~\n"]; // prettier-ignore
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (some, size) => {
      const text = some.join("");
      expect(shownOf(text, size)).toBe(shownOf(text, text.length + 1));
    }),
  );
}); // prettier-ignore
