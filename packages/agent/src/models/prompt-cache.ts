import type { JSONObject } from "@ai-sdk/provider";
import type { CacheLevel } from "@treadle/protocol";
import type { Model } from "../ports/model.ts";

type Options = Record<string, JSONObject>;

/** The settings of a request for the provider's prompt cache. */
export interface CacheOptions {
  /** Marks a message up to which the prompt is cached; undefined if nothing is marked. */
  mark: Options | undefined;
  /** Settings that apply to the whole request. */
  request: Options;
}

const NOTHING: CacheOptions = { mark: undefined, request: {} };

/** The settings for a provider, by the cache levels that it offers. */
type Wire = Partial<Record<CacheLevel, (key: string | undefined) => CacheOptions>>;

const marked = (mark: Options) => () => ({ mark, request: {} });
const nothing = () => NOTHING;

/** A cache mark in Anthropic's form; without `ttl` it lasts five minutes. */
const ANTHROPIC_MARK = { type: "ephemeral" };
/** A cache mark for Bedrock's Converse API. */
const BEDROCK_MARK = { type: "default" };

const ANTHROPIC: Wire = {
  off: nothing,
  short: marked({ anthropic: { cacheControl: ANTHROPIC_MARK } }),
  long: marked({ anthropic: { cacheControl: { ...ANTHROPIC_MARK, ttl: "1h" } } }),
};

const BEDROCK: Wire = {
  off: nothing,
  short: marked({ bedrock: { cachePoint: BEDROCK_MARK } }),
  long: marked({ bedrock: { cachePoint: { ...BEDROCK_MARK, ttl: "1h" } } }),
};

/** Settings with a key by which requests of one conversation share a cache, if the conversation is known. */
const keyed = (provider: string, key: string | undefined, more: JSONObject = {}): CacheOptions => ({
  mark: undefined,
  request: { [provider]: { ...(key === undefined ? {} : { promptCacheKey: key }), ...more } },
});

const MISTRAL: Wire = { short: (key) => keyed("mistral", key) };

/**
 * Cache settings for OpenAI, whose API changed with version 5.6: before, a cache can be kept for a day; since then, it
 * can be switched off.
 */
function openai(model: string): Wire {
  const short = (key?: string) => keyed("openai", key);
  const version = /^gpt-(\d+)(?:\.(\d+))?/.exec(model);
  if (!version) return { short };
  const [major, minor] = [Number(version[1]), Number(version[2] ?? 0)];
  if (major > 5 || (major === 5 && minor >= 6))
    return {
      // In this mode only marked messages are cached, and none is marked.
      off: () => keyed("openai", undefined, { promptCacheOptions: { mode: "explicit" } }),
      short,
    };
  const holdsLong = major === 5 || (major === 4 && minor >= 1);
  const long = (key?: string) => keyed("openai", key, { promptCacheRetention: "24h" });
  return holdsLong ? { short, long } : { short };
}

/** The settings for a model, by level; empty for providers that cache automatically, or not at all. */
function wireOf(id: string): Wire {
  const colon = id.indexOf(":");
  switch (id.slice(0, colon)) {
    case "anthropic":
    // OpenRouter passes the marks on to models that accept them, and drops them for others.
    case "openrouter":
      return ANTHROPIC;
    case "bedrock":
      return BEDROCK;
    case "openai":
      return openai(id.slice(colon + 1));
    case "mistral":
      return MISTRAL;
    default:
      return {};
  }
}

/** The levels that can be chosen for a model (`provider:model`), in the order in which they are shown; may be none. */
export function offeredCacheLevels(id: string): CacheLevel[] {
  return Object.keys(wireOf(id)) as CacheLevel[];
}

/**
 * The cache settings for a request to the model. If nobody chose a level, caches that need marks are used for their
 * shortest time.
 */
export function cacheOptions({ id, cache, cacheKey }: Model): CacheOptions {
  if (cache === "refused") return NOTHING;
  if (cache !== undefined) return wireOf(id)[cache]?.(cacheKey) ?? NOTHING;
  return { mark: { anthropic: { cacheControl: ANTHROPIC_MARK } }, request: {} };
}
