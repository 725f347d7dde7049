import { createServer, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createModelRegistry } from "./registry.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Used for requests to local servers, so that servers on the test's machine do not matter. */
const nobody: typeof fetch = async () => {
  throw new TypeError("fetch failed");
};

const registry = (
  env: Record<string, string>,
  keys: [string, { key?: string; address?: string }][] = [],
  fetch = nobody,
) => createModelRegistry({ env, keys: new Map(keys), fetch });

describe("list", () => {
  it("says where a key came from, and never gives it", () => {
    const list = registry({ ANTHROPIC_API_KEY: "env-secret" }, [
      ["openai", { key: "typed-secret" }],
    ]).list();
    expect(list.find(({ id }) => id === "anthropic")?.source).toBe("environment");
    expect(list.find(({ id }) => id === "openai")?.source).toBe("page");
    expect(list.find(({ id }) => id === "mistral")?.source).toBeUndefined();
    expect(JSON.stringify(list)).not.toContain("secret");
  });

  it("says where a person gets a key, of each provider that needs one", () => {
    const list = registry({}).list();
    const addressed = list.filter(({ keyPage }) => keyPage?.startsWith("https://"));
    expect(addressed).toEqual(list.filter(({ needsKey }) => needsKey));
  });

  it("knows every provider that can be used", () => {
    expect(
      registry({})
        .list()
        .map(({ id }) => id),
    ).toEqual([
      "anthropic",
      "openai",
      "google",
      "mistral",
      "xai",
      "deepseek",
      "groq",
      "openrouter",
      "bedrock",
      "openai-compatible",
      "ollama",
      "lmstudio",
    ]);
  });
});

describe("resolve", () => {
  it.each(["“sk-1”", "sk-1\nsk-2", "sk 1", "sk-ü"])(
    "says of the key %j that it was not copied well, and asks nobody",
    async (key) => {
      const models = registry({}, [["openai", { key }]]);
      for (const answer of [await models.resolve("openai:x"), await models.test("openai")]) {
        expect(answer).toMatchObject({ ok: false, error: { code: "key-wrong" } });
        expect(JSON.stringify(answer)).not.toContain(key);
      }
    },
  );

  it.each([
    "anthropic",
    "openai",
    "google",
    "mistral",
    "xai",
    "deepseek",
    "groq",
    "openrouter",
    "bedrock",
    "openai-compatible",
  ])("makes a model of %s", async (provider) => {
    const resolved = await registry({}, [
      [provider, { key: "k", address: "http://127.0.0.1:1/v1" }],
    ]).resolve(`${provider}:some/model:x`);
    expect(resolved).toMatchObject({
      ok: true,
      model: { id: `${provider}:some/model:x`, dialect: "native" },
    });
  });

  it.each([
    ["nonsense", "model-unknown", "provider:model"],
    ["martian:x", "model-unknown", "There is no provider called “martian”"],
    ["anthropic:x", "key-wrong", "ANTHROPIC_API_KEY"],
    ["openai-compatible:x", "model-missing", "There is no address"],
    ["ollama:x", "provider-down", "was not found on this machine"],
  ] as const)("says plainly what is wrong with %s", async (id, code, words) => {
    const resolved = await registry({}).resolve(id);
    expect(resolved).toMatchObject({ ok: false, error: { code } });
    expect(!resolved.ok && resolved.error.message).toContain(words);
  });

  it("never sends a key of the environment to an address that was typed (A32)", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(500).end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const typed = createModelRegistry({
      env: { OPENAI_API_KEY: "secret", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" },
      keys: new Map([["openai-compatible", { address: `http://127.0.0.1:${port}` }]]),
    });
    await typed.test("openai-compatible", { model: "m" });
    expect(seen).toHaveLength(1);
    expect(String(seen[0])).not.toContain("secret");
  });
});

describe("a test of a server of one's own, whose models are not listed", () => {
  const answering = (status: number) => {
    const fetch: typeof globalThis.fetch = async () =>
      Response.json({ error: { message: "no", type: "x" } }, { status });
    return registry({}, [], fetch).test("openai-compatible", {
      address: "http://127.0.0.1:1/v1",
      key: "k",
    });
  };

  it("says that the key is wrong", async () => {
    expect(await answering(401)).toMatchObject({ ok: false, error: { code: "key-wrong" } });
  });

  it("asks for the model's name if the key is not the problem", async () => {
    expect(await answering(404)).toMatchObject({ ok: false, error: { code: "model-missing" } });
  });
});

describe("chosen", () => {
  it("is TREADLE_MODEL, else the first provider that is set up", () => {
    expect(registry({ TREADLE_MODEL: "xai:grok" }).chosen()).toBe("xai:grok");
    expect(registry({ MISTRAL_API_KEY: "k" }).chosen()).toBe("mistral:mistral-large-latest");
    expect(registry({}).chosen()).toBeUndefined();
  });

  it("is a local server's model if there is nothing else", async () => {
    const local: typeof fetch = async (address) => {
      if (!String(address).startsWith("http://127.0.0.1:11434/"))
        throw new TypeError("fetch failed");
      return Response.json({ data: [{ id: "nomic-embed-text" }, { id: "qwen3-coder:30b" }] });
    };
    const found = registry({}, [], local);
    await found.discover();
    expect(found.chosen()).toBe("ollama:qwen3-coder:30b");
    expect(found.list().find(({ id }) => id === "ollama")).toMatchObject({
      source: "found",
      address: "http://127.0.0.1:11434",
    });
    expect((await found.resolve("ollama:qwen3-coder:30b")).ok).toBe(true);
  });
});

it("knows prices of well-known models, and none of others", async () => {
  const keys: [string, { key: string }][] = [["openai", { key: "k" }]];
  const known = await registry({}, keys).resolve("openai:gpt-4.1");
  expect(known.ok && known.model.price).toEqual({
    input: expect.closeTo(2, 5),
    cachedInput: expect.closeTo(0.5, 5),
    cacheWrite: expect.closeTo(2, 5),
    output: expect.closeTo(8, 5),
  });
  const unknown = await registry({}, keys).resolve("openai:my-own");
  expect(unknown.ok && unknown.model.price).toBeUndefined();
});

describe("an invalid address", () => {
  it("is said to be wrong by the variable that holds it, and nothing is sent", async () => {
    const found = await registry({ OPENAI_BASE_URL: "notaurl", OPENAI_API_KEY: "k" }).resolve(
      "openai:gpt-5.6",
    );
    expect(found).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("in OPENAI_BASE_URL is not a web address") },
    });
  });

  it("that was typed names no variable", async () => {
    const typed = await registry({}, [["openai", { address: "ftp://x", key: "k" }]]).test("openai");
    expect(typed).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^The address for OpenAI is not a web address/) },
    });
  });
});
