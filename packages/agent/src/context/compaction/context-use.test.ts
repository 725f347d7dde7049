import type { ContextKind } from "@treadle/protocol";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.test-support.ts";
import { answer, call, scriptedModel } from "../../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../../testing/try-run.test-support.ts";
import type { McpTool } from "../../mcp/types.ts";
import type { Model } from "../../ports/model.ts";
import { addCharacters } from "./measure.ts";
import { compactNow } from "./compact-now.ts";
import { shownConversation } from "../conversation/shown-conversation.ts";

describe("the use of the context window", () => {
  it("is reported with each step, by kind, with the model's window", async () => {
    const { events } = await tryRun(
      scriptedModel(
        answer("I look.", call("read_file", { path: "a.txt" }), call("list_files", {})),
        answer("That is all."),
      ),
      {
        workspace: htmlWorkspace({
          files: { "a.txt": "x".repeat(4_000), "AGENTS.md": "Be kind." },
        }),
        model: { contextWindow: 50_000 },
      },
    );
    const [first, second] = ofType(events, "step-end").map(({ context }) => context);
    expect(first?.window).toBe(50_000);
    expect(Object.keys(first?.parts ?? {}).sort()).toEqual([
      "conversation",
      "prompt",
      "rules",
      "tools",
    ]);
    expect(second?.parts).toMatchObject({ ...first?.parts, conversation: expect.any(Number) });
    expect(second?.parts.files).toBe(1_000);
    expect(second?.parts.results).toBeGreaterThan(5);
  });

  it("counts observations of the app and opened skills separately", async () => {
    const { events } = await tryRun(
      scriptedModel(
        answer("", call("use_skill", { name: "react" })),
        answer("", call("read_build_result", {})),
        answer("So."),
      ),
      { workspace: htmlWorkspace({ files: { "index.html": "<h1>hi</h1>" } }) },
    );
    const last = ofType(events, "step-end").at(-1)?.context?.parts;
    expect(last?.skills).toBeGreaterThan(100);
    expect(last?.evidence).toBeGreaterThan(20);
  });
});

it("counts pictures that the person sent", async () => {
  const { events } = await tryRun(scriptedModel(answer("A cat.")), {
    request: {
      message: {
        id: "m1",
        role: "user",
        parts: [
          { type: "file", mediaType: "image/png", url: "data:image/png;base64,AAAA" },
          { type: "text", text: "What is it?" },
        ],
      },
    },
  });
  expect(ofType(events, "step-end")[0]?.context?.parts.pictures).toBe(1_105);
});

describe("foreign tools", () => {
  const tools = Array.from({ length: 12 }, (_, index): McpTool => ({
    server: "maps",
    definition: {
      name: `route-${index}`,
      description: "Finds a way. ".repeat(75),
      inputSchema: { type: "object", properties: {} },
      readOnly: true,
    },
    standing: () => ({ allowed: true, digest: "d", why: "" }),
    call: async () => ({ ok: true, text: "A long way." }),
  }));

  it("take room in the window, so that a conversation is summarised sooner", async () => {
    const files = { "a.txt": "x".repeat(8_000), "b.txt": "y".repeat(8_000) };
    const run = async (mcp: McpTool[]) => {
      const { events } = await tryRun(
        scriptedModel(
          answer("", call("read_file", { path: "a.txt" })),
          answer("", call("read_file", { path: "b.txt" })),
          answer("Task: reading."),
          answer("That is all."),
        ),
        {
          workspace: htmlWorkspace({ files }),
          model: { contextWindow: 11_000 },
          ports: { mcp },
        },
      );
      return events;
    };
    const without = await run([]);
    const used = await run(tools);
    expect(ofType(without, "compacted")).toEqual([]);
    expect(ofType(used, "compacted")).toHaveLength(1);
    expect(ofType(used, "step-end")[0]?.context?.parts.mcp).toBeGreaterThan(2_500);
  });
});

describe("a conversation that the person wants shortened", () => {
  const model = (languageModel: Model["languageModel"]): Model => ({
    id: "test:model",
    languageModel,
    dialect: "native",
    takesTemperature: true,
  });
  const request = (languageModel: Model["languageModel"], length: number) => ({
    history: [
      { id: "u", role: "user" as const, parts: [{ type: "text" as const, text: "Build a shop" }] },
      {
        id: "a",
        role: "assistant" as const,
        parts: [{ type: "text" as const, text: "word ".repeat(length) }],
      },
      { id: "u2", role: "user" as const, parts: [{ type: "text" as const, text: "Now in blue" }] },
      { id: "a2", role: "assistant" as const, parts: [{ type: "text" as const, text: "Blue." }] },
    ],
    model: model(languageModel),
    clock: createFakeClock(),
    id: "s",
    signal: new AbortController().signal,
  });

  it("is summarised except for its newest part, and reports its new size", async () => {
    const asked = request(scriptedModel(answer("Task: a shop, in blue.")), 10_000);
    const summary = await compactNow(asked);
    expect(summary?.before).toBeGreaterThan(12_000);
    expect(summary?.after).toBeLessThan(1_000);
    expect(summary?.usage).toMatchObject({ inputTokens: 100, outputTokens: 10 });
    const shown = JSON.stringify(shownConversation([...asked.history, summary!.note]));
    expect(shown).toContain("Task: a shop, in blue.");
    expect(shown).toContain("Blue.");
    expect(shown).not.toContain("word word");
  });

  it("stays unchanged if it is already short, without a model call", async () => {
    const languageModel = scriptedModel();
    expect(await compactNow(request(languageModel, 10))).toBeUndefined();
    expect(languageModel.doStreamCalls).toEqual([]);
  });
});

it("a call of an unknown tool counts with the conversation, and its result with the results", () => {
  const characters = new Map<ContextKind, number>();
  const part = (toolName: string) => ({
    type: "dynamic-tool" as const,
    toolName,
    toolCallId: toolName,
    state: "output-error" as const,
    input: { a: "bc" },
    errorText: "There is no such tool.",
  });
  addCharacters(characters, { parts: [part("make_coffee")] });
  expect(Object.fromEntries(characters)).toEqual({ conversation: 10, results: 22 });
  addCharacters(characters, { parts: [part("mcp__notes__echo")] });
  expect(Object.fromEntries(characters)).toEqual({ conversation: 10, results: 22, mcp: 32 });
});
