import { expect, test } from "vitest";
import { createToolTagParser } from "./parse.ts";
import type { ToolTagEvent, ToolTagLimits } from "./types.ts";

const TOOLS = { write_file: ["path", "content"], read_file: ["path"] };

function parse(message: string, limits: Partial<ToolTagLimits> = {}) {
  const events: ToolTagEvent[] = [];
  const parser = createToolTagParser({
    tools: TOOLS,
    limits,
    onEvent: (event) => events.push(event),
  });
  for (const character of message) parser.write(character);
  parser.end();
  return {
    tools: events.filter((event) => event.type === "tool-close"),
    errors: events.flatMap((event) => (event.type === "error" ? [event.code] : [])),
    text: events.map((event) => (event.type === "text" ? event.text : "")).join(""),
  };
}

test("an unclosed tool does not swallow the next", () => {
  const { tools, errors } = parse(
    "<read_file><path>a</path>\nNow this:\n<read_file><path>b</path></read_file>",
  );
  expect(tools).toMatchObject([
    { params: { path: "a" }, complete: false },
    { params: { path: "b" }, complete: true },
  ]);
  expect(errors).toEqual(["tool-not-closed"]);
});

test("keeps the text after an unclosed tool", () => {
  expect(
    parse("<read_file><path>a</path>\nNow this:\n<read_file><path>b</path></read_file>").text,
  ).toBe("\nNow this:\n");
});

test("prose that only mentions a tool stays prose", () => {
  expect(parse("Use <read_file> to read.")).toEqual({
    tools: [],
    errors: [],
    text: "Use <read_file> to read.",
  });
});

test("tags in a code fence are text", () => {
  const message = "```xml\n<read_file><path>a</path></read_file>\n```\n";
  expect(parse(message)).toEqual({ tools: [], errors: [], text: message });
});

test("preserves a block's value exactly", () => {
  const { tools } = parse(
    "<write_file>\n<path>a</path>\n<content>\n  x &lt; y\n\n</content>\n</write_file>",
  );
  expect(tools).toMatchObject([{ params: { content: "  x &lt; y\n" } }]);
});

test("A46 a parameter named __proto__ is plain data", () => {
  const { tools } = parse(
    '<invoke name="read_file"><parameter name="__proto__">x</parameter></invoke>',
  );
  expect(Object.entries(tools[0]?.type === "tool-close" ? tools[0].params : {})).toEqual([
    ["__proto__", "x"],
  ]);
});

test("a value at the limit is complete, beyond it is cut and the tool incomplete", () => {
  const call = (path: string) => `<read_file><path>${path}</path></read_file>`;
  expect(parse(call("1234"), { valueCharacters: 4 })).toMatchObject({
    tools: [{ params: { path: "1234" }, complete: true }],
    errors: [],
  });
  expect(parse(call("12345"), { valueCharacters: 4 })).toMatchObject({
    tools: [{ params: { path: "1234" }, complete: false }],
    errors: ["value-too-long"],
  });
});

test("content with its own closing tag continues once too much is held", () => {
  const content = `a </content> ${"x".repeat(50)}`;
  const { tools } = parse(`<write_file><content>${content}</content></write_file>`, {
    heldCharacters: 20,
  });
  expect(tools).toMatchObject([{ params: { content }, complete: true }]);
});

test.each([
  [
    "an unknown parameter",
    "<read_file>\n<path>a</path><x>1</x>\n<x>2</x></read_file>",
    ["unknown-param"],
  ],
  ["words between", "<write_file><path>a</path> and <content>b</content> so </write_file>", []],
  ["another tool's end", "<write_file><path>a</path></read_file><content>b</content></write_file>", []], // prettier-ignore
  ["tags around", "<read_file><args>\n<file><path>a</path></file></args></read_file>", []],
])("skips %s, and the call is valid", (_what, message, codes) => {
  const { tools, errors, text } = parse(message);
  expect(tools).toMatchObject([{ params: { path: "a" }, complete: true }]);
  expect(text).toBe("");
  expect(errors).toEqual(codes);
});

test("accepts a tool's alias, in tags as in <invoke>", () => {
  const params: unknown[] = [];
  const parser = createToolTagParser({
    tools: TOOLS,
    aliases: {
      write_to_file: { tool: "write_file", params: { text: "content" } },
      none: { tool: "nothing" },
    },
    onEvent: (event) =>
      event.type === "tool-close" && params.push([event.name, event.params, event.complete]),
  });
  parser.write(
    "<none></none><write_to_file><path>a</path><text>b</text></write_to_file><write_to_file><path>c</path></write_to_file>",
  );
  parser.end();
  expect(params).toEqual([
    ["write_file", { path: "a", content: "b" }, true],
    ["write_file", { path: "c" }, true],
  ]);
});
