import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "@treadle/store";
import {
  createScriptedModel,
  loadScript,
  testScript,
  type ScriptedModel,
} from "@treadle/scripted-model";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelSettings } from "./model-source.ts";
import { createDemoPlayer, type DemoPlayer } from "./demo-player.ts";
import { openModelSettings } from "./model-settings.ts";

const root = mkdtempSync(join(tmpdir(), "treadle-models-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
let store: Store;
let demos: DemoPlayer;
let directory: string;
const open = (env: Record<string, string> = {}, sharedDirectory?: string): Promise<ModelSettings> =>
  openModelSettings({ store, env, sharedDirectory, demos, now: () => Date.now() });

beforeEach(async () => {
  directory = join(root, String(++count));
  store = await openStore({ directory });
  demos = createDemoPlayer();
});
afterEach(async () => {
  await demos.close();
  await store.close();
});

describe("model settings of the page", () => {
  it("are empty on a new machine, and offer the recordings", async () => {
    const models = await open();
    const info = await models.info();
    expect(info.chosen).toBeUndefined();
    expect(info.providers.every(({ source }) => source === undefined)).toBe(true);
    expect(info.demos.length).toBeGreaterThan(0);
    await expect(models.resolve("anthropic:claude")).rejects.toMatchObject({ code: "key-wrong" });
    await expect(models.resolve("nosuch:model")).rejects.toMatchObject({
      code: "model-unknown",
      status: 400,
    });
  });

  it("keep a typed key over a restart and never reveal it", async () => {
    const key = "sk-very-secret";
    const first = await open();
    await first.setKey("anthropic", { key });
    expect(JSON.stringify(await first.info())).not.toContain(key);
    await first.choose("anthropic:claude-sonnet-5-5");
    const second = await open();
    const info = await second.info();
    expect(JSON.stringify(info)).not.toContain(key);
    expect(info.chosen).toBe("anthropic:claude-sonnet-5-5");
    expect(info.providers.find(({ id }) => id === "anthropic")?.source).toBe("page");
    await second.removeKey("anthropic");
    expect(
      (await second.info()).providers.find(({ id }) => id === "anthropic")?.source,
    ).toBeUndefined();
  });

  it("keep learned properties of a model over a restart, until they are reset", async () => {
    const env = { OPENAI_API_KEY: "k", TREADLE_MODEL: "openai:small" };
    const models = await open(env);
    expect(await models.resolve("openai:small")).toMatchObject({ dialect: "native" });
    await models.learn?.("openai:small", { dialect: "artifact", wholeFiles: true });
    const again = await open(env);
    expect(await again.resolve("openai:small")).toMatchObject({
      dialect: "artifact",
      habits: { wholeFiles: true },
    });
    const shown = async () =>
      (await again.info()).providers.flatMap((one) => one.models).filter(({ habits }) => habits);
    expect(await shown()).toMatchObject([{ id: "openai:small", habits: { wholeFiles: true } }]);
    await again.forget("openai:small");
    expect(await shown()).toEqual([]);
    expect(await again.resolve("openai:small")).toMatchObject({ dialect: "native" });
  });

  it("store whether a model reads pictures: as learned, as the person chose, else by its name", async () => {
    const id = "openai:gpt-4o";
    const env = { OPENAI_API_KEY: "k", TREADLE_MODEL: id };
    const models = await open(env);
    const sight = async () => {
      const again = await open(env);
      const { providers } = await again.info();
      const info = providers.flatMap((one) => one.models).find((model) => model.id === id);
      const { seesPictures } = await again.resolve(id);
      return {
        sees: info?.sees,
        guessed: info?.guessed,
        kept: info?.habits?.pictures,
        seesPictures,
      };
    };
    expect(await sight()).toEqual({ sees: true, guessed: true });
    await models.learn?.(id, { pictures: "refused" });
    const refused = { sees: false, guessed: true, kept: "refused", seesPictures: false };
    expect(await sight()).toEqual(refused);
    // A run that began earlier passes on its own habits, but not this.
    await models.learn?.(id, { editsMissed: 1 });
    expect(await sight()).toEqual(refused);
    await models.setSees(id, true);
    expect(await sight()).toEqual({ ...refused, sees: true, kept: "yes", seesPictures: true });
    await models.forget(id);
    expect(await sight()).toMatchObject({ kept: "yes" });
    await models.setSees(id, undefined);
    expect(await sight()).toEqual({ sees: true, guessed: true });
  });

  it("list a model that was chosen by name among those of its provider", async () => {
    const models = await open({ OPENAI_API_KEY: "k" });
    await models.choose("openai:gpt-4o-of-tomorrow");
    const { providers } = await models.info();
    const ids = providers.find(({ id }) => id === "openai")?.models.map(({ id }) => id);
    expect(ids?.[0]).toBe("openai:gpt-4o-of-tomorrow");
  });

  it("prefer the page's choice over TREADLE_MODEL, and that over discovered models", async () => {
    const env = { OPENAI_API_KEY: "k", TREADLE_MODEL: "openai:mine" };
    const models = await open(env);
    expect(await models.chosen()).toBe("openai:mine");
    await models.choose("openai:other");
    expect(await models.chosen()).toBe("openai:other");
  });

  it("include keys and choice of the shared folder, which another server may have open", async () => {
    await (await open()).setKey("anthropic", { key: "k" });
    await store.settings.set("model", "anthropic:x");
    const other = await openStore({ directory: `${directory}-run` });
    const models = await openModelSettings({
      store: other,
      env: {},
      sharedDirectory: directory,
      demos,
      now: () => 0,
    });
    expect(await models.chosen()).toBe("anthropic:x");
    expect((await models.resolve("anthropic:x")).id).toBe("anthropic:x");
    await other.close();
  });

  it("keep a server's address when only its key is typed, but no key for another address", async () => {
    const models = await open();
    const storedKey = () => store.settings.get("secret:provider:openai-compatible");
    await models.setKey("openai-compatible", { address: "http://127.0.0.1:9/v1" });
    await models.setKey("openai-compatible", { key: "k" });
    expect(await storedKey()).toEqual({ key: "k", address: "http://127.0.0.1:9/v1" });
    await models.setKey("openai-compatible", { address: "http://127.0.0.1:10/v1" });
    expect(await storedKey()).toEqual({ address: "http://127.0.0.1:10/v1" });
  });

  it("refuse invalid values with a message", async () => {
    const models = await open();
    await expect(models.setKey("nosuch", { key: "k" })).rejects.toMatchObject({ status: 404 });
    await expect(models.setKey("anthropic", {})).rejects.toMatchObject({ code: "bad-input" });
    await expect(models.setKey("openai-compatible", { key: "k" })).rejects.toThrow(
      "needs an address",
    );
    await expect(models.setKey("openai-compatible", { address: "file:///etc" })).rejects.toThrow(
      "http",
    );
    await expect(models.choose("nosuch:x")).rejects.toMatchObject({ code: "model-unknown" });
    expect(() => models.demoPrompt("nosuch")).toThrow("no recorded build");
  });
});

describe("a test request to a provider", () => {
  let upstream: ScriptedModel;
  beforeEach(async () => {
    const script = { known: loadScript(testScript("api")) };
    upstream = await createScriptedModel({ script, key: "good" });
  });
  afterEach(() => upstream.close());

  it("succeeds if it answers, and reports what is wrong if not", async () => {
    const models = await open();
    const address = upstream.url;
    await models.setKey("openai-compatible", { address, key: "good" });
    await models.test("openai-compatible", { model: "openai-compatible:known" });
    await models.test("openai-compatible", { model: "known" });
    await expect(models.test("openai-compatible", { model: "other" })).rejects.toMatchObject({
      code: "model-unknown",
    });
    await models.setKey("openai-compatible", { address, key: "bad" });
    await expect(models.test("openai-compatible", { model: "known" })).rejects.toMatchObject({
      code: "key-wrong",
    });
    await upstream.close();
    await expect(models.test("openai-compatible", { model: "known" })).rejects.toMatchObject({
      code: "provider-down",
    });
  });
});

describe("a key that is tested", () => {
  let upstream: ScriptedModel;
  beforeEach(async () => {
    const script = { known: loadScript(testScript("api")) };
    upstream = await createScriptedModel({ script, key: "good" });
  });
  afterEach(() => upstream.close());

  it("is not stored by the test, whether valid or not; the previous key and choice stay", async () => {
    const models = await open();
    const address = upstream.url;
    const typed = { model: "known", address };
    const storedKey = () => store.settings.get("secret:provider:openai-compatible");
    await models.test("openai-compatible", { ...typed, key: "good" });
    await expect(models.test("openai-compatible", { ...typed, key: "bad" })).rejects.toMatchObject({
      code: "key-wrong",
    });
    expect(await storedKey()).toBeUndefined();
    expect(await models.chosen()).toBeUndefined();
    await models.setKey("openai-compatible", { address, key: "good" });
    await expect(
      models.test("openai-compatible", { model: "known", key: "bad" }),
    ).rejects.toMatchObject({ code: "key-wrong" });
    await models.test("openai-compatible", { model: "known" });
    expect(await storedKey()).toEqual({ address, key: "good" });
  });

  it("is not sent to another address if it is stored for this one", async () => {
    const models = await open();
    await models.setKey("openai-compatible", { address: upstream.url, key: "good" });
    const script = { known: loadScript(testScript("api")) };
    const other = await createScriptedModel({ script, key: "good" });
    await expect(
      models.test("openai-compatible", { model: "known", address: other.url }),
    ).rejects.toMatchObject({ code: "key-wrong" });
    await other.close();
  });
});

describe("a recording", () => {
  it("is a model behind HTTP like any other", async () => {
    const [first] = demos.list();
    const models = await open();
    const model = await models.resolve(`demo:${first?.id}`);
    expect(model.id).toBe(`demo:${first?.id}`);
    expect(models.demoPrompt(first?.id ?? "")).toBe(first?.prompt);
    await expect(models.resolve("demo:nosuch")).rejects.toMatchObject({ status: 404 });
  });
});

describe("the amount of a model's reasoning", () => {
  it("follows the person's choice, else the environment, and is kept over a restart until the provider refuses it", async () => {
    const id = "openai:gpt-4o";
    const env = { OPENAI_API_KEY: "k", TREADLE_MODEL: id, TREADLE_THINKING: "low" };
    const thinking = async () => (await (await open(env)).resolve(id)).thinking;
    const models = await open(env);
    expect(await thinking()).toBe("low");
    await models.setThinking(id, "high");
    expect(await thinking()).toBe("high");
    // A run passes on what it learned itself, but not this.
    await models.learn?.(id, { editsMissed: 1 });
    await models.forget(id);
    expect(await thinking()).toBe("high");
    await models.learn?.(id, { thinking: "refused" });
    expect(await thinking()).toBeUndefined();
    await models.forget(id);
    expect(await thinking()).toBe("low");
  });
});

describe("how long a provider caches prompts", () => {
  it("follows the person's choice, else the environment if supported, and is kept over a restart until the provider refuses it", async () => {
    const id = "openai:gpt-4.1";
    const env = { OPENAI_API_KEY: "k", OLLAMA_BASE_URL: "http://127.0.0.1:1", TREADLE_MODEL: id, TREADLE_PROMPT_CACHE: "long" }; // prettier-ignore
    const cache = async (model = id) => (await (await open(env)).resolve(model)).cache;
    const models = await open(env);
    expect(await cache()).toBe("long");
    expect(await cache("openai:gpt-5.6")).toBeUndefined();
    await models.setCache(id, "short");
    expect(await cache()).toBe("short");
    await models.learn?.(id, { editsMissed: 1 });
    await models.forget(id);
    expect(await cache()).toBe("short");
    const shown = (await models.info()).providers.flatMap((provider) => provider.models);
    expect(shown.find((model) => model.id === id)).toMatchObject({
      cache: ["short", "long"],
      habits: { cache: "short" },
    });
    await models.learn?.(id, { cache: "refused" });
    expect(await cache()).toBe("refused");
    await models.forget(id);
    await models.setCache(id, undefined);
    expect(await cache()).toBe("long");
  });

  it("cannot be set to a value that the provider's protocol lacks", async () => {
    const models = await open({ OPENAI_API_KEY: "k" });
    for (const id of ["openai:gpt-5.6", "ollama:qwen3"])
      await expect(models.setCache(id, "long")).rejects.toMatchObject({ code: "cache-unknown" });
  });
});
