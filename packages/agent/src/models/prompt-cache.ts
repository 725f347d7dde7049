import type { JSONObject } from "@ai-sdk/provider";
import type { CacheLevel } from "@treadle/protocol";
import type { Model } from "../ports/model.ts";

type Options = Record<string, JSONObject>;

/** What a request says about the provider's cache of prompts. */
export interface CacheOptions {
  /** Marks a message up to which the prompt is to be cached; undefined where nothing is marked. */
  mark: Options | undefined;
  /** Settings that apply to the whole request. */
  request: Options;
}

const NOTHING: CacheOptions = { mark: undefined, request: {} };

/** The request options for a provider, by the levels of its protocol. */
type Wire = Partial<Record<CacheLevel, (key: string | undefined) => CacheOptions>>;

const marked = (mark: Options) => () => ({ mark, request: {} });
const nothing = () => NOTHING;

/** A mark of Anthropic's form; without a lifetime it is five minutes. */
const ANTHROPIC_MARK = { type: "ephemeral" };
/** A mark of Bedrock's Converse. */
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

/** A key by which requests of one conversation find the same cache, where the conversation is known. */
const keyed = (provider: string, key: string | undefined, more: JSONObject = {}): CacheOptions => ({
  mark: undefined,
  request: { [provider]: { ...(key === undefined ? {} : { promptCacheKey: key }), ...more } },
});

const MISTRAL: Wire = { short: (key) => keyed("mistral", key) };

/** OpenAI's protocol changed with version 5.6: before, a cache can be held for a day; since then, it can be switched off. */
function openai(model: string): Wire {
  const short = (key?: string) => keyed("openai", key);
  const version = /^gpt-(\d+)(?:\.(\d+))?/.exec(model);
  if (!version) return { short };
  const [major, minor] = [Number(version[1]), Number(version[2] ?? 0)];
  if (major > 5 || (major === 5 && minor >= 6))
    return {
      // Only what is marked is cached then, and nothing is.
      off: () => keyed("openai", undefined, { promptCacheOptions: { mode: "explicit" } }),
      short,
    };
  const holdsLong = major === 5 || (major === 4 && minor >= 1);
  const long = (key?: string) => keyed("openai", key, { promptCacheRetention: "24h" });
  return holdsLong ? { short, long } : { short };
}

/** Providers that cache automatically, or not at all, accept no such setting. */
function wireOf(id: string): Wire {
  const colon = id.indexOf(":");
  switch (id.slice(0, colon)) {
    case "anthropic":
    // Passes the marks on to models that take them, and drops them for the others.
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

/** What a request to the model says. Where nobody chose, a cache that has to be marked is, for its shortest time. */
export function cacheOptions({ id, cache, cacheKey }: Model): CacheOptions {
  if (cache === "refused") return NOTHING;
  if (cache !== undefined) return wireOf(id)[cache]?.(cacheKey) ?? NOTHING;
  return { mark: { anthropic: { cacheControl: ANTHROPIC_MARK } }, request: {} };
}
