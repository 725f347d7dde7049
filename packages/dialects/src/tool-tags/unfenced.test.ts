import { expect, test } from "vitest";
import { PIECE_SIZES, piecesOf } from "../conformance.test-support.ts";
import type { ToolTagEvent } from "./types.ts";
import { createUnfencedToolTagParser } from "./unfenced.ts";

const TOOLS = { write_file: ["path", "content"], read_file: ["path"] };
const READ = "<read_file><path>a</path></read_file>";

/** The calls and the text, the same in every chunking. */
function parse(message: string, limit?: number) {
  const read = PIECE_SIZES.map((size) => {
    const events: ToolTagEvent[] = [];
    const parser = createUnfencedToolTagParser({
      tools: TOOLS,
      limits: limit === undefined ? undefined : { valueCharacters: limit },
      onEvent: (event) => events.push(event),
    });
    for (const piece of piecesOf(message, size)) parser.write(piece);
    parser.end();
    return {
      calls: events.flatMap((e) => (e.type === "tool-close" ? [[e.name, e.complete]] : [])),
      text: events.map((event) => (event.type === "text" ? event.text : "")).join(""),
    };
  });
  for (const one of read) expect(one).toEqual(read[0]);
  return read[0]!;
}

test("a fence that contains only calls is transparent", () => {
  expect(parse(`So:\n\`\`\`tool_use\n${READ}\n\n${READ}\n\`\`\`\nDone.`)).toEqual({
    calls: [["read_file", true], ["read_file", true]],
    text: "So:\n\n\n\n\nDone.",
  }); // prettier-ignore
});

test("an unclosed fence is transparent, too, even if its last call was cut", () => {
  expect(parse(`\`\`\`\n${READ}`).calls).toEqual([["read_file", true]]);
  expect(parse("```\n<read_file><path>a").calls).toEqual([["read_file", false]]);
});

test("the content of a call may contain fences", () => {
  const call = "<write_file><path>a</path><content>\n```sh\nx\n```\n</content></write_file>";
  expect(parse(`\`\`\`\n${call}\n\`\`\`\n`).calls).toEqual([["write_file", true]]);
  expect(parse(call).calls).toEqual([["write_file", true]]);
});

test.each([
  `\`\`\`\n${READ}\nThat reads it.\n\`\`\`\n`,
  `\`\`\`\n# so\n${READ}\n\`\`\`\n`,
  `For example:\n\`\`\`xml\n${READ}\n\`\`\`\n`,
  `It is written like this:\n\n\`\`\`\n${READ}\n\`\`\`\nAnd so on.`,
  `\`\`\`diff\n${READ}\n\`\`\`\n`,
  "```\n\n```\n",
  `a \`\`\`${READ}\`\`\``,
  "```ts\nconst a = 1;\n```\n```\n<read_file> is a tool\n```\n",
])("a fence with anything else, and an example, is text: %j", (message) => {
  expect(parse(message)).toEqual({ calls: [], text: message });
});

test("a call in prose after an ordinary fence is a call", () => {
  const fence = `\`\`\`\n${READ} so\n\`\`\`\n`;
  expect(parse(fence + READ)).toEqual({ calls: [["read_file", true]], text: fence });
});

test("a fence over the limit is text, in linear time", () => {
  const message = `\`\`\`\n${READ}\n\`\`\`\n`;
  expect(parse(message, 20).calls).toEqual([]);
  const many = "```\n<write_file><path>\n```\n".repeat(5_000);
  const parser = createUnfencedToolTagParser({ tools: TOOLS, onEvent: () => {} });
  // In quadratic time, this would exceed the test's time limit.
  parser.write(`${many}</path> x </write_file> y`);
  parser.end();
});

test("the arguments of a call stream in a fence marked as calls", () => {
  const deltas: string[] = [];
  const parser = createUnfencedToolTagParser({
    tools: TOOLS,
    onEvent: (event) => {
      if (event.type === "param-delta") deltas.push(event.text);
    },
  });
  parser.write("So:\n```tool_use\n<write_file>\n<path>a</path>\n<content>\none\n");
  expect(deltas.join("")).toBe("aone");
  parser.write("two\n</content>\n</write_file>\n```\nDone.");
  parser.end();
  expect(deltas.join("")).toBe("aone\ntwo");
});

test("a closing tag with a blank in it that was content is unchanged", () => {
  const content = "a </content > b\nc </content > d";
  for (const size of [1, 7, 1_000]) {
    let value = "";
    const parser = createUnfencedToolTagParser({
      tools: TOOLS,
      onEvent: (event) => {
        if (event.type === "tool-close") value = event.params["content"] ?? "";
      },
    });
    const text = `<write_file><path>a</path><content>${content}</content></write_file>`;
    for (let at = 0; at < text.length; at += size) parser.write(text.slice(at, at + size));
    parser.end();
    expect(value).toBe(content);
  }
});

test.each(["cr:<|im_end|>", "to:<|end|>", "fu<think>a</think>", "assistant<|return|>"])(
  "a mark after a word reads the same in chunks of any size: %j",
  (text) => {
    const read = (size: number) => {
      let words = "";
      const parser = createUnfencedToolTagParser({
        tools: TOOLS,
        onEvent: (event) => {
          if (event.type === "text") words += event.text;
        },
      });
      for (let at = 0; at < text.length; at += size) parser.write(text.slice(at, at + size));
      parser.end();
      return words;
    };
    for (const size of [1, 2, 3, 7]) expect([size, read(size)]).toEqual([size, read(text.length)]);
  },
);
