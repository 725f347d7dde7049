import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { MockLanguageModelV4 } from "ai/test";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { streamOf } from "../../testing/scripted-model.test-support.ts";
import { withWire } from "./with-wire.ts";

const use = (toolCallId: string, input: unknown = {}, toolName = "read_file") => ({
  type: "tool-call" as const,
  toolCallId,
  toolName,
  input,
});
const result = (toolCallId: string, value: string, toolName = "read_file") => ({
  type: "tool-result" as const,
  toolCallId,
  toolName,
  output: { type: "text" as const, value },
});

/** The prompt as the provider receives it. */
async function sent(prompt: LanguageModelV4Prompt, provider = "anthropic.messages") {
  const mock = new MockLanguageModelV4({
    provider,
    doStream: async () => ({ stream: streamOf([]) }),
  });
  await withWire(mock).doStream({ prompt });
  return mock.doStreamCalls[0]!.prompt;
}

/** Call ids of a prompt, each with its result. */
function answered(prompt: LanguageModelV4Prompt) {
  const calls = prompt.flatMap(({ role, content }) =>
    role === "assistant"
      ? content.flatMap((part) => (part.type === "tool-call" ? [part] : []))
      : [],
  );
  const results = prompt.flatMap(({ role, content }) =>
    role === "tool" ? content.flatMap((part) => (part.type === "tool-result" ? [part] : [])) : [],
  );
  return calls.map(({ toolCallId }) => [
    toolCallId,
    results.filter((one) => one.toolCallId === toolCallId).map(({ output }) => output),
  ]);
}

/** The parts that the loop receives from a provider's stream. */
async function received(parts: LanguageModelV4StreamPart[]) {
  const mock = new MockLanguageModelV4({ doStream: async () => ({ stream: streamOf(parts) }) });
  const { stream } = await withWire(mock).doStream({ prompt: [] });
  const received: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) received.push(part);
  return received;
}

describe("what leaves for a provider", () => {
  it("has an id of its own for each call, with its result, whatever ids the conversation repeats", async () => {
    const prompt: LanguageModelV4Prompt = [
      { role: "assistant", content: [use("call_0"), use("call_0")] },
      { role: "tool", content: [result("call_0", "one"), result("call_0", "two")] },
      { role: "assistant", content: [use("call_0")] },
      { role: "tool", content: [result("call_0", "three")] },
    ];
    const seen = answered(await sent(prompt));
    expect(seen.map(([, values]) => values)).toEqual(
      ["one", "two", "three"].map((value) => [{ type: "text", value }]),
    );
    expect(new Set(seen.map(([id]) => id)).size).toBe(3);
    // The beginning of a conversation does not change while the conversation grows.
    expect(answered(await sent(prompt.slice(0, 2)))).toEqual(seen.slice(0, 2));
  });

  it.each([
    ["anthropic.messages", /^[A-Za-z0-9_-]{1,64}$/],
    ["openai.responses", /^[A-Za-z0-9_-]{1,64}$/],
    ["mistral.chat", /^[A-Za-z0-9]{9}$/],
    ["ollama.chat", /^[\x21-\x7e]{1,64}$/],
  ])("has ids in the form that %s takes", async (provider, form) => {
    const odd = ["functions.read_file:0", "", "a b", "x".repeat(200), "é", "fine_1"];
    const prompt: LanguageModelV4Prompt = [
      { role: "assistant", content: odd.map((id) => use(id)) },
      { role: "tool", content: odd.map((id) => result(id, `of ${id}`)) },
    ];
    const seen = answered(await sent(prompt, provider));
    for (const [id, values] of seen) {
      expect(id).toMatch(form);
      expect(values).toHaveLength(1);
    }
    expect(new Set(seen.map(([id]) => id)).size).toBe(odd.length);
  });

  it("keeps what a provider wants back with its parts", async () => {
    const providerOptions = {
      anthropic: { signature: "c2lnbmVk" },
      openai: { itemId: "fc_1", reasoningEncryptedContent: "e30=" },
    };
    const prompt: LanguageModelV4Prompt = [
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "", providerOptions },
          { ...use("call_1"), providerOptions },
        ],
      },
      { role: "tool", content: [result("call_1", "A")] },
    ];
    expect(await sent(prompt, "openai.responses")).toEqual(prompt);
  });

  it("has no half characters, no odd names of tools, no empty messages and no arguments but objects", async () => {
    const half = "x\ud83d";
    const prompt: LanguageModelV4Prompt = [
      { role: "system", content: half },
      { role: "user", content: [{ type: "text", text: "  " }] },
      { role: "assistant", content: [{ type: "text", text: "" }] },
      {
        role: "assistant",
        content: [
          use("1", { [half]: [half] }, "write file!"),
          use("2", "not an object", ""),
          use("3", [1], "9lives"),
        ],
      },
      {
        role: "tool",
        content: ["1", "2", "3"].map((id) => result(id, half, "write file!")),
      },
    ];
    const [system, user, assistant, tool] = await sent(prompt);
    expect(JSON.stringify([system, user, assistant, tool])).not.toMatch(/\\ud83d/i);
    expect(user).toMatchObject({ role: "user", content: [{ type: "text" }] });
    expect(assistant).toMatchObject({
      role: "assistant",
      content: [
        { toolName: "write_file_", input: { "x\ufffd": ["x\ufffd"] } },
        { toolName: expect.stringMatching(/^[A-Za-z_][\w-]*$/), input: {} },
        { toolName: "_9lives", input: {} },
      ],
    });
    expect(tool).toMatchObject({ content: [{ output: { value: "x\ufffd" } }, {}, {}] });
  });

  it("is the same where nothing was wrong, and nests no deeper than a reader's stack", async () => {
    const fine: LanguageModelV4Prompt = [
      { role: "user", content: [{ type: "text", text: "Hello 😀" }] },
      { role: "assistant", content: [use("call_1", { path: "a", edits: [{ old: "x" }] })] },
      { role: "tool", content: [result("call_1", "A")] },
    ];
    expect(await sent(fine)).toEqual(fine);
    let deep: unknown = "end";
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    const seen = await sent([{ role: "assistant", content: [use("call_1", { deep })] }]);
    expect(JSON.stringify(seen).length).toBeLessThan(1_000);
    // A deeply nested change costs no more than reading the value once.
    let nested: unknown = "half \ud83d";
    for (let depth = 0; depth < 50; depth++) nested = { nested };
    const changed = await sent([{ role: "assistant", content: [use("call_1", { nested })] }]);
    expect(JSON.stringify(changed)).toContain("half �");
  });
});

describe("what comes from a provider", () => {
  it("is well formed, and the same text wherever its pieces were divided", async () => {
    const pieces = fc.array(fc.string({ unit: "binary-ascii" }).chain(() => fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 6 }); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(pieces, async (encoded) => {
        const units = encoded.join("").split("");
        const parts = await received([
          { type: "text-start", id: "t" },
          ...units.map((delta): LanguageModelV4StreamPart => ({
            type: "text-delta",
            id: "t",
            delta,
          })),
          { type: "text-end", id: "t" },
        ]);
        const text = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));
        expect(text.every((piece) => piece.isWellFormed())).toBe(true);
        const cut = encoded.join("").replace(/[\ud800-\udbff]$/, "");
        expect(text.join("")).toBe(cut.toWellFormed());
      }),
      { numRuns: 20 },
    );
  });

  it("has two calls where two calls of one answer have one id", async () => {
    const one = (input: string): LanguageModelV4StreamPart[] => [
      { type: "tool-input-start", id: "x", toolName: "write_file" },
      { type: "tool-input-delta", id: "x", delta: input },
      { type: "tool-input-end", id: "x" },
      { type: "tool-call", toolCallId: "x", toolName: "write_file", input },
    ];
    const parts = await received([...one('{"a":1}'), ...one('{"a":2}')]);
    const begun = parts.flatMap((part) => (part.type === "tool-input-start" ? [part.id] : []));
    const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
    expect(calls.map(({ toolCallId }) => toolCallId)).toEqual(begun);
    expect(new Set(begun).size).toBe(2);
    expect(calls.map(({ input }) => input)).toEqual(['{"a":1}', '{"a":2}']);
  });

  it("refuses arguments that nest 100,000 deep, and takes those that do not, in linear time", async () => {
    const input = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const fine = JSON.stringify({ a: "[".repeat(100_000), b: '\\"[[' });
    const parts = await received([
      { type: "tool-call", toolCallId: "1", toolName: "write_file", input },
      { type: "tool-call", toolCallId: "2", toolName: "write_file", input: fine },
    ]);
    expect(parts[0]).toMatchObject({ input: "{}", providerMetadata: { treadle: { refused: expect.stringContaining("deep") } } }); // prettier-ignore
    expect(parts[1]).toMatchObject({ input: fine });
  });
});
