import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { CacheLevel, DialectName, ModelHabits, ThinkingLevel } from "@treadle/protocol";

/** A model that is ready to be called, and what is known about it. */
export interface Model {
  /** `provider:model`, as people choose it. */
  id: string;
  /** The provider's name as people know it: "Anthropic". Default: `id`. */
  providerName?: string;
  /** Whether it is reached at an address that somebody set, or on this machine; absent: it may be. */
  hasAddress?: boolean;
  /** Without a dialect: the loop wraps it. */
  languageModel: LanguageModelV4;
  /** The dialect that suits it when nobody chose one, and it has shown none that does better. */
  dialect: DialectName;
  /** Some (reasoning) models refuse a temperature; the others get 0. */
  takesTemperature: boolean;
  /** Whether it reads pictures; absent where nobody knows: those of the person are tried then, and no others sent. */
  seesPictures?: boolean;
  /** How much it is told to think; absent: nothing is said, and it does as it likes. */
  thinking?: ThinkingLevel | undefined;
  /** How long its provider is told to cache prompts; `refused`: it is told nothing. Absent: as nobody chose. */
  cache?: CacheLevel | "refused" | undefined;
  /** Names the conversation to a provider whose cache has keys. At most 64 characters, and nothing private. */
  cacheKey?: string;
  /** What it has shown of itself. */
  habits?: ModelHabits;
  /** Tokens. */
  contextWindow?: number;
  /** Tokens of one answer that are asked for; absent: the provider's own default. */
  maxOutputTokens?: number;
  /** Dollars per million tokens, where known; `cachedInput` is what is read from a cache, `cacheWrite` what is put into one. */
  price?: { input: number; cachedInput: number; cacheWrite: number; output: number };
}
