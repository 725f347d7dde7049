import {
  createModelRegistry,
  offeredCacheLevels,
  seesPictures,
  type Model,
  type ModelProblem,
  type ProviderKey,
} from "@treadle/agent";
import type { CacheLevel, ModelHabits, ProviderInfo } from "@treadle/protocol";
import { CACHE_LEVELS, THINKING_LEVELS } from "@treadle/protocol/models";
import { readSettings, type Store } from "@treadle/store";
import { sentence, sentenceIn } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { ModelSettings } from "./model-source.ts";
import type { DemoPlayer } from "./demo-player.ts";

type ModelInfo = ProviderInfo["models"][number];

/** The learned habits that the page shows; the others are internal. */
const SHOWN_HABITS = ["dialect", "wholeFiles", "pictures", "thinking", "cache"] as const;

const CHOICE = "model";
const HABITS_PREFIX = "model-habits:";
const KEY_PREFIX = "secret:provider:";
/** Interval for searching local model servers, in milliseconds. */
const DISCOVER_MS = 5_000;

/**
 * Models from the environment, from the page's settings (stored, never returned) and on this
 * machine.
 * @param sharedDirectory a data folder whose settings apply if this one has none
 */
export async function openModelSettings(options: {
  store: Store;
  env: Record<string, string | undefined>;
  sharedDirectory: string | undefined;
  demos: DemoPlayer;
  now: () => number;
}): Promise<ModelSettings> {
  const { store, env, demos, now } = options;
  const shared = options.sharedDirectory
    ? await readSettings(options.sharedDirectory, env.DATABASE_URL)
    : new Map<string, unknown>();
  const keys = new Map<string, ProviderKey>();
  for (const [key, value] of shared)
    if (key.startsWith(KEY_PREFIX)) keys.set(key.slice(KEY_PREFIX.length), value as ProviderKey);
  const registry = createModelRegistry({ env, keys });
  for (const { id } of registry.list()) {
    const key = await store.settings.get<ProviderKey>(KEY_PREFIX + id);
    if (key) keys.set(id, key);
  }

  let discovered = Number.NEGATIVE_INFINITY;
  let discovering: Promise<void> | undefined;
  const discover = () => {
    if (now() - discovered < DISCOVER_MS) return Promise.resolve();
    discovering ??= registry.discover().finally(() => {
      discovered = now();
      discovering = undefined;
    });
    return discovering;
  };
  const nameOf = (provider: string) => {
    const found = registry.list().find(({ id }) => id === provider);
    if (!found)
      throw new ApiFailure(404, "provider-unknown", sentence("provider-unknown", { provider }));
    return found;
  };

  /** The default if nothing is set for the model itself. */
  const byDefault = THINKING_LEVELS.find((level) => level === env.TREADLE_THINKING?.trim());
  const cacheByDefault = CACHE_LEVELS.find((level) => level === env.TREADLE_PROMPT_CACHE?.trim());
  /** A default level only applies to models that offer it. */
  const defaultCache = (id: string): CacheLevel | undefined =>
    offeredCacheLevels(id).find((level) => level === cacheByDefault);
  const habitsOf = (id: string) => store.settings.get<ModelHabits>(HABITS_PREFIX + id);
  async function withHabits(model: Model): Promise<Model> {
    const modelHabits = await habitsOf(model.id);
    if (!modelHabits) return { ...model, thinking: byDefault, cache: defaultCache(model.id) };
    // Knowledge about pictures is not passed on by a run, because a concurrent run would overwrite it.
    const { pictures, thinking, cache = defaultCache(model.id), ...habits } = modelHabits;
    const sees = pictures === undefined ? {} : { seesPictures: pictures === "yes" };
    const level = thinking === "refused" ? undefined : (thinking ?? byDefault);
    const dialect = habits.dialect ?? model.dialect;
    return { ...model, dialect, habits, ...sees, thinking: level, cache };
  }
  /** Saves habits, or removes them if there are none. */
  const keepHabits = (id: string, habits: ModelHabits) =>
    Object.keys(habits).length === 0
      ? store.settings.remove(HABITS_PREFIX + id)
      : store.settings.set(HABITS_PREFIX + id, habits);

  async function withWhatIsKnown(model: ModelInfo): Promise<ModelInfo> {
    const habits = await habitsOf(model.id);
    const { sees, ...named } = model;
    const cache = offeredCacheLevels(model.id);
    const seen = habits?.pictures === undefined ? sees : habits.pictures === "yes";
    return {
      ...named,
      sees: seen,
      guessed: sees,
      ...(cache.length > 0 ? { cache } : {}),
      ...(habits && SHOWN_HABITS.some((habit) => habits[habit]) ? { habits } : {}),
    };
  }

  /** Validates a provider's settings and returns them as they are stored. @throws ApiFailure if they are invalid. */
  function withTyped(
    provider: string,
    { key, address }: { key?: string | undefined; address?: string | undefined },
  ): ProviderKey {
    const { needsKey, needsAddress, name } = nameOf(provider);
    if (key === undefined && address === undefined)
      throw new ApiFailure(
        400,
        "bad-input",
        sentence(needsKey ? "provider-key-missing" : "provider-address-missing", { name }),
      );
    // A key alone keeps the address; a new address alone removes the key, which belonged to the old
    // one.
    const where = address ?? (needsAddress ? keys.get(provider)?.address : undefined);
    if (needsAddress && where === undefined)
      throw new ApiFailure(400, "bad-input", sentence("provider-address-missing", { name }));
    if (address !== undefined && !isWebAddress(address))
      throw new ApiFailure(400, "bad-input", sentence("provider-address-invalid"));
    return {
      key,
      address: where,
    };
  }

  const settings: ModelSettings = {
    async chosen() {
      const own = await store.settings.get<string>(CHOICE);
      if (own !== undefined) return own;
      const choice = env.TREADLE_MODEL?.trim() || shared.get(CHOICE);
      if (typeof choice === "string") return choice;
      await discover();
      return registry.chosen();
    },
    async resolve(id, use) {
      if (id.startsWith("demo:")) return demos.model(id.slice("demo:".length));
      if (use?.key) {
        const own = new Map([...keys, [id.slice(0, id.indexOf(":")), use.key]]);
        const found = await createModelRegistry({ env, keys: own }).resolve(id);
        if (found.ok) return withHabits(found.model);
        throw problem(found.error);
      }
      const first = await registry.resolve(id);
      if (first.ok) return withHabits(first.model);
      // Local model servers are only known after a search.
      await discover();
      const second = await registry.resolve(id);
      if (second.ok) return withHabits(second.model);
      throw problem(second.error);
    },
    async learn(id, habits) {
      try {
        const { pictures, thinking, cache } = { ...(await habitsOf(id)), ...habits };
        await keepHabits(id, {
          ...habits,
          ...(pictures ? { pictures } : {}),
          ...(thinking ? { thinking } : {}),
          ...(cache ? { cache } : {}),
        });
      } catch {
        // It is learned again in the next turn.
      }
    },
    async forget(id) {
      // The person's own setting is not a learned one.
      const { pictures, thinking, cache } = (await habitsOf(id)) ?? {};
      await keepHabits(id, {
        ...(pictures && pictures !== "refused" ? { pictures } : {}),
        ...(thinking && thinking !== "refused" ? { thinking } : {}),
        ...(cache && cache !== "refused" ? { cache } : {}),
      });
    },
    async setSees(id, sees) {
      const { pictures: _, ...habits } = (await habitsOf(id)) ?? {};
      const pictures =
        sees === undefined ? {} : { pictures: sees ? ("yes" as const) : ("no" as const) };
      await keepHabits(id, { ...habits, ...pictures });
    },
    async setThinking(id, thinking) {
      const { thinking: _, ...habits } = (await habitsOf(id)) ?? {};
      await keepHabits(id, { ...habits, ...(thinking ? { thinking } : {}) });
    },
    async setCache(id, cache) {
      if (cache !== undefined) checkCache(id, cache);
      const { cache: _, ...habits } = (await habitsOf(id)) ?? {};
      await keepHabits(id, { ...habits, ...(cache ? { cache } : {}) });
    },
    demoPrompt: (demo) => demos.find(demo).prompt,
    async info() {
      await discover();
      const chosen = await settings.chosen();
      return {
        chosen,
        providers: await Promise.all(
          registry.list().map(async (provider) => ({
            ...provider,
            models: await Promise.all(withChosen(provider, chosen).map(withWhatIsKnown)),
          })),
        ),
        demos: demos.list().map(({ id, title, prompt, about }) => ({ id, title, prompt, about })),
      };
    },
    async choose(model) {
      await settings.resolve(model);
      await store.settings.set(CHOICE, model);
    },
    async setKey(provider, typed) {
      const next = withTyped(provider, typed);
      await store.settings.set(KEY_PREFIX + provider, next);
      keys.set(provider, next);
      discovered = Number.NEGATIVE_INFINITY;
    },
    async removeKey(provider) {
      nameOf(provider);
      await store.settings.remove(KEY_PREFIX + provider);
      keys.delete(provider);
      discovered = Number.NEGATIVE_INFINITY;
    },
    async test(provider, { model, ...typed } = {}) {
      nameOf(provider);
      await discover();
      const isTyped = typed.key !== undefined || typed.address !== undefined;
      const bare = model?.startsWith(`${provider}:`) ? model.slice(provider.length + 1) : model;
      const key = isTyped ? withTyped(provider, typed) : keys.get(provider);
      const tried = await registry.test(provider, { ...key, model: bare || undefined });
      if (!tried.ok) throw problem(tried.error);
    },
  };
  return settings;
}

/** @throws ApiFailure if the model's provider has no such setting */
export function checkCache(id: string, cache: CacheLevel): void {
  const offered = offeredCacheLevels(id);
  if (offered.includes(cache)) return;
  const model = id.slice(id.indexOf(":") + 1);
  throw new ApiFailure(
    400,
    "cache-unknown",
    offered.length === 0
      ? sentence("cache-not-settable", { model })
      : sentence("cache-unknown", { model, cache, offered }),
  );
}

/** The models of a provider, including one that was typed in by name. */
function withChosen({ id, models }: ProviderInfo, chosen: string | undefined): ModelInfo[] {
  if (!chosen?.startsWith(`${id}:`) || models.some((model) => model.id === chosen)) return models;
  const sees = seesPictures(chosen);
  const named = { id: chosen, label: chosen.slice(id.length + 1) };
  return [{ ...named, sees }, ...models];
}

function problem(found: ModelProblem): ApiFailure {
  const { code } = found;
  return new ApiFailure(code === "model-unknown" ? 400 : 409, code, sentenceIn(found));
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
