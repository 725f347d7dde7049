import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GrownMarkdown } from "./grown-markdown.ts";
import type { MarkdownThread } from "./markdown-thread.ts";
import { readMarkdown } from "./read-markdown.ts";

const direct: MarkdownThread = { read: (text) => Promise.resolve(readMarkdown(text)) };

describe("a growing text", () => {
  it("ends up as if parsed at once, however it was split", async () => {
    const piece = fc.constantFrom(
      "# Title\n\n",
      "Some *words* and `code`.",
      "\n\n",
      "- one\n- two\n",
      "```ts\nlet a = 1;\n",
      "```\n",
      "| a |\n| - |\n",
      "> said\n",
      " ", // prettier-ignore
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), fc.nat(7), async (pieces, size) => {
        const text = pieces.join("");
        const grown = new GrownMarkdown(direct, () => undefined);
        for (let end = 0; end < text.length; end += size + 1) grown.write(text.slice(0, end));
        grown.write(text);
        await Promise.resolve();
        const { blocks, plain } = grown.shown();
        expect(plain).toBe("");
        expect(blocks.flat()).toEqual(readMarkdown(text).nodes);
      }),
      { numRuns: 300 },
    );
  });

  it("is plain while it is long and not parsed yet, and formatted afterwards", async () => {
    const long = "word ".repeat(1_000);
    let isRead = false;
    const grown = new GrownMarkdown(direct, () => (isRead = true));
    grown.write(long);
    expect(grown.shown()).toEqual({ blocks: [], plain: long });
    await expect.poll(() => isRead).toBe(true);
    expect(grown.shown().plain).toBe("");
  });

  it("A167 stays plain from the point where parsing took too long", async () => {
    let asked = 0;
    const refuses: MarkdownThread = { read: () => (asked++, Promise.resolve(undefined)) };
    let isRead = false;
    const grown = new GrownMarkdown(refuses, () => (isRead = true));
    const long = "**_* ".repeat(1_000);
    grown.write(long);
    await expect.poll(() => isRead).toBe(true);
    grown.write(`${long} and more`);
    expect(grown.shown()).toEqual({ blocks: [], plain: `${long} and more` });
    expect(asked).toBe(1);
  });

  it("is parsed again if it is replaced", () => {
    const grown = new GrownMarkdown(direct, () => undefined);
    grown.write("one\n\ntwo");
    grown.write("three");
    expect(grown.shown().blocks.flat()).toEqual([{ tag: "p", children: ["three"] }]);
  });
});
