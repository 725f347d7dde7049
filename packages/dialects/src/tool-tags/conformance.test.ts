import { expect, test } from "vitest";
import { describeCases, PIECE_SIZES, piecesOf } from "../conformance.test-support.ts";
import { differs } from "../fuzz/random.test-support.ts";
import { createToolTagParser } from "./parse.ts";

type Block =
  | { type: "text"; content: string; partial: boolean }
  | { type: "tool_use"; name: string; params: Record<string, string>; partial: boolean };

interface Cases {
  vocabulary: { tools: string[]; params: string[] };
  cases: { name: string; input: string; expected: Block[] }[];
}

/** Declared differences 3 and 2: held text is text at the end, and entities stay in every value. */
const DIFFERENT: Record<string, Block[]> = {
  "detects a truncated tool opening tag": [
    { type: "text", content: "Let me run that.\n<execute_c", partial: true },
  ],
  "unescapes HTML entities in execute_command commands": [
    {
      type: "tool_use",
      name: "execute_command",
      params: {
        command: "printf &quot;ok&quot; &amp;&amp; grep foo input.txt &gt; out.txt",
        requires_approval: "false",
      },
      partial: false,
    },
  ],
};

describeCases<Cases>("tool-tag-cases.json", ({ vocabulary, cases }) => {
  test("every declared difference belongs to a case", () => {
    const differing = cases.filter(({ name, expected }) => DIFFERENT[name] && differs(DIFFERENT[name], expected)); // prettier-ignore
    expect(differing.map(({ name }) => name).toSorted()).toEqual(Object.keys(DIFFERENT).toSorted());
  });
  const tools = Object.fromEntries(vocabulary.tools.map((tool) => [tool, vocabulary.params]));
  for (const { name, input, expected } of cases) {
    test(name, () => {
      for (const size of PIECE_SIZES)
        expect(blocksOf(tools, input, size)).toEqual(DIFFERENT[name] ?? expected);
    });
  }
});

function blocksOf(tools: Record<string, string[]>, input: string, size: number): Block[] {
  const blocks: Block[] = [];
  const parser = createToolTagParser({
    tools,
    onEvent: (event) => {
      const last = blocks.at(-1);
      if (event.type === "text" && last?.type === "text") last.content += event.text;
      else if (event.type === "text")
        blocks.push({ type: "text", content: event.text, partial: false });
      else if (event.type === "tool-close") {
        const params = Object.entries(event.params).map(([key, value]) => [key, value.trim()]);
        blocks.push({
          type: "tool_use",
          name: event.name,
          params: Object.fromEntries(params),
          partial: !event.complete,
        });
      }
    },
  });
  for (const piece of piecesOf(input, size)) parser.write(piece);
  parser.end();
  const trimmed = blocks
    .map((block) => (block.type === "text" ? { ...block, content: block.content.trim() } : block))
    .filter((block) => block.type !== "text" || block.content !== "");
  const last = trimmed.at(-1);
  if (last?.type === "text") last.partial = true;
  return trimmed;
}
