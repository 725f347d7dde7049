import type { UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import { tryRun } from "../testing/try-run.test-support.ts";
import type { Model } from "../ports/model.ts";
import { createModelRegistry } from "./registry.ts";

type Body = Record<string, unknown>;

/** A provider that accepts every request, or rejects those that `refuses` selects. */
async function asked(
  id: string,
  more: Partial<Model> = {},
  {
    refuses,
    history,
  }: { refuses?: (body: Body) => string | undefined; history?: UIMessage[] } = {},
): Promise<{ bodies: Body[]; learnt: unknown[] }> {
  const bodies: Body[] = [];
  const learnt: unknown[] = [];
  const provider = id.slice(0, id.indexOf(":"));
  const registry = createModelRegistry({
    env: {},
    keys: new Map([[provider, { key: "k", address: "http://model.invalid/v1" }]]),
    fetch: async (_url, init) => {
      const body = JSON.parse(String(init?.body)) as Body;
      bodies.push(body);
      const message = refuses?.(body);
      if (message === undefined) return new Response("", { status: 200 });
      return Response.json({ error: { message, type: "invalid_request_error" } }, { status: 400 });
    },
  });
  const resolved = await registry.resolve(id);
  if (!resolved.ok) throw new Error(resolved.error.message);
  await tryRun(resolved.model.languageModel, {
    model: { ...resolved.model, ...more },
    clock: createFakeClock(),
    limits: { modelTries: 1, goOns: 0 },
    ports: { learn: (habits) => void learnt.push(habits) },
    request: history ? { run: "r2", history } : undefined,
  });
  return { bodies, learnt };
}

const OPENROUTER = (value: object) => ({ reasoning: value });

describe("how much a model thinks", () => {
  it.each([
    ["anthropic:claude-sonnet-4-5", "off", { thinking: { type: "disabled" } }],
    ["anthropic:claude-sonnet-4-5", "low", { thinking: { type: "enabled" } }],
    ["anthropic:claude-opus-4-6", "high", { thinking: { type: "adaptive" }, output_config: { effort: "high" } }], // prettier-ignore
    ["openai:gpt-5.6", "low", { reasoning: { effort: "low" } }],
    ["openai:gpt-5.6", "high", { reasoning: { effort: "high" } }],
    ["google:gemini-2.5-pro", "high", { generationConfig: { thinkingConfig: {} } }],
    ["openrouter:anthropic/claude-sonnet-5.5", "off", OPENROUTER({ enabled: false })],
    ["openrouter:openai/gpt-5.6", "high", OPENROUTER({ effort: "high" })],
    ["ollama:qwen3", "off", { reasoning_effort: "none" }],
    ["openai-compatible:any", "low", { reasoning_effort: "low" }],
    ["lmstudio:any", "high", { reasoning_effort: "high" }],
    ["deepseek:deepseek-v4-pro", "off", { thinking: { type: "disabled" } }],
    ["groq:openai/gpt-oss-120b", "high", { reasoning_effort: "high" }],
  ] as const)("is sent to %s in its own format: %s", async (id, thinking, expected) => {
    const { bodies } = await asked(id, { thinking });
    expect(bodies[0]).toMatchObject(expected);
  });

  it.each([
    ["anthropic:claude-sonnet-4-5", "thinking"],
    ["openai:gpt-5.6", "reasoning"],
    ["openrouter:openai/gpt-5.6", "reasoning"],
    ["openai-compatible:any", "reasoning_effort"],
  ])("is left to %s where nobody chose", async (id, field) => {
    const { bodies } = await asked(id);
    expect(bodies[0]).not.toHaveProperty(field);
  });

  it.each([
    "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
    '"small" does not support thinking',
    "Unrecognized request argument supplied: reasoning_effort",
    "reasoning_effort: Extra inputs are not permitted",
    "Invalid value: 'none'. Supported values are: 'low', 'medium', and 'high' for reasoning.effort.",
  ])("is left out once a provider refuses it, and that is remembered: %s", async (words) => {
    const { bodies, learnt } = await asked(
      "openai-compatible:any",
      { thinking: "low" },
      { refuses: (body) => ("reasoning_effort" in body ? words : undefined) },
    );
    expect(bodies[0]).toHaveProperty("reasoning_effort");
    expect(bodies[1]).not.toHaveProperty("reasoning_effort");
    expect(learnt).toContainEqual({ thinking: "refused" });
  });
});

describe("thoughts that are signed", () => {
  const metadata = { anthropic: { signature: "c2lnbmVk" } };
  const history = (model: string): UIMessage[] => [
    { id: "u", role: "user", parts: [{ type: "text", text: "Build it" }] },
    {
      id: "a",
      role: "assistant",
      metadata: { model },
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "First a page.", providerMetadata: metadata, state: "done" },
        { type: "text", text: "I did.", state: "done" },
      ],
    },
  ];
  const signed = { type: "thinking", thinking: "First a page.", signature: "c2lnbmVk" };

  it("go back to the model that thought them as they came, also from the store", async () => {
    const id = "anthropic:claude-sonnet-4-5";
    const restored = JSON.parse(JSON.stringify(history(id))) as UIMessage[];
    const { bodies } = await asked(id, { thinking: "low" }, { history: restored });
    expect(JSON.stringify(bodies[0])).toContain(JSON.stringify(signed));
  });

  it("are not sent to another model", async () => {
    const { bodies } = await asked(
      "anthropic:claude-opus-4-6",
      { thinking: "low" },
      { history: history("anthropic:claude-sonnet-4-5") },
    );
    expect(JSON.stringify(bodies[0])).not.toContain("First a page.");
  });
});
