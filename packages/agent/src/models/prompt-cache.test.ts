import { describe, expect, it } from "vitest";
import type { Model } from "../ports/model.ts";
import { createFakeClock } from "../testing/fake-clock.test-support.ts";
import { tryRun } from "../testing/try-run.test-support.ts";
import { offeredCacheLevels } from "./prompt-cache.ts";
import { createModelRegistry } from "./registry.ts";

type Body = Record<string, unknown>;

/** The requests sent to a provider that accepts all of them, or rejects those that `refuses` selects. */
async function asked(
  id: string,
  more: Partial<Model> = {},
  refuses?: (body: string) => string | undefined,
): Promise<{ bodies: Body[]; learnt: unknown[] }> {
  const bodies: Body[] = [];
  const learnt: unknown[] = [];
  const provider = id.slice(0, id.indexOf(":"));
  const registry = createModelRegistry({
    env: {},
    keys: new Map([[provider, { key: "k", address: "http://model.invalid/v1" }]]),
    fetch: async (_url, init) => {
      const text = String(init?.body);
      bodies.push(JSON.parse(text) as Body);
      const message = refuses?.(text);
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
  });
  return { bodies, learnt };
}

/** All cache markers in a request, in order. */
const marks = (body: unknown): unknown[] => {
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    name === "cache_control" || name === "cachePoint" ? [value] : marks(value),
  );
};

describe("how long a provider caches prompts", () => {
  it.each([
    ["anthropic:claude-sonnet-4-5", "off", undefined],
    ["anthropic:claude-sonnet-4-5", "short", { type: "ephemeral" }],
    ["anthropic:claude-sonnet-4-5", "long", { type: "ephemeral", ttl: "1h" }],
    ["bedrock:us.anthropic.claude-sonnet-5-5", "off", undefined],
    ["bedrock:us.anthropic.claude-sonnet-5-5", "short", { type: "default" }],
    ["bedrock:us.anthropic.claude-sonnet-5-5", "long", { type: "default", ttl: "1h" }],
    ["openrouter:anthropic/claude-sonnet-5.5", "off", undefined],
    ["openrouter:anthropic/claude-sonnet-5.5", "long", { type: "ephemeral", ttl: "1h" }],
  ] as const)("is marked for %s as it takes it: %s", async (id, cache, mark) => {
    const { bodies } = await asked(id, { cache });
    const [first] = bodies;
    // One after the system prompt, and one after the message.
    expect(marks(first)).toEqual(mark ? [mark, mark] : []);
  });

  it.each([
    ["openai:gpt-5.5", "short", { prompt_cache_key: "talk" }],
    ["openai:gpt-5.5", "long", { prompt_cache_key: "talk", prompt_cache_retention: "24h" }],
    ["openai:gpt-6.1-sol", "short", { prompt_cache_key: "talk" }],
    ["openai:gpt-6.1-sol", "off", { prompt_cache_options: { mode: "explicit" } }],
    ["mistral:mistral-large-latest", "short", { prompt_cache_key: "talk" }],
  ] as const)("is sent to %s in its own format: %s", async (id, cache, expected) => {
    const { bodies } = await asked(id, { cache, cacheKey: "talk" });
    const cacheFields = Object.entries(bodies[0] ?? {}).filter(([name]) => name.includes("cache"));
    expect(Object.fromEntries(cacheFields)).toEqual(expected);
    expect(JSON.stringify(bodies[0])).not.toContain("cache_control");
  });

  it("is left to the provider where nobody chose, but where a cache has to be marked", async () => {
    const anthropic = await asked("anthropic:claude-sonnet-4-5", { cacheKey: "talk" });
    expect(marks(anthropic.bodies[0])).toEqual([{ type: "ephemeral" }, { type: "ephemeral" }]);
    const openai = await asked("openai:gpt-5.6", { cacheKey: "talk" });
    expect(JSON.stringify(openai.bodies[0])).not.toContain("prompt_cache");
  });

  it("can be chosen only as far as the provider's protocol has it", () => {
    expect(offeredCacheLevels("anthropic:any")).toEqual(["off", "short", "long"]);
    expect(offeredCacheLevels("openai:gpt-4.1")).toEqual(["short", "long"]);
    expect(offeredCacheLevels("openai:gpt-5.6-mini")).toEqual(["off", "short"]);
    expect(offeredCacheLevels("openai:o3")).toEqual(["short"]);
    for (const id of ["google:gemini-pro-latest", "ollama:qwen3", "deepseek:deepseek-v4-pro"])
      expect(offeredCacheLevels(id)).toEqual([]);
  });

  it.each([
    ["anthropic:claude-sonnet-4-5", "system.0.cache_control.ttl: Extra inputs are not permitted"],
    ["bedrock:us.amazon.nova-pro-v1:0", "The model does not support cachePoint blocks."],
    ["openai:gpt-5", "Invalid parameter: prompt_cache_retention is not supported by this model."],
  ])("is said no more once %s refuses it, and that is remembered", async (id, words) => {
    const { bodies, learnt } = await asked(id, { cache: "long", cacheKey: "talk" }, (body) =>
      /cache/i.test(body.replace(/"text":"(?:[^"\\]|\\.)*"/g, "")) ? words : undefined,
    );
    expect(bodies).toHaveLength(2);
    expect([...marks(bodies[1]), bodies[1]?.["prompt_cache_retention"]]).toEqual([undefined]);
    expect(learnt).toContainEqual({ cache: "refused" });
  });
});
