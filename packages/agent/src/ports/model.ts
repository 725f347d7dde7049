import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Sentence } from "@treadle/protocol/sentences";
import type { CacheLevel, DialectName, ModelHabits, ThinkingLevel } from "@treadle/protocol";

/** A model that can be called, and what is known about it. */
export interface Model {
  /** `provider:model`, the form in which people choose it. */
  id: string;
  /** The provider's display name: "Anthropic". Default: `id`. */
  providerName?: string;
  /** Whether it has a configured address or runs on this machine; absent if unknown. */
  hasAddress?: boolean;
  /** The library's model without a dialect; the loop wraps it. */
  languageModel: LanguageModelV4;
  /** The default dialect, unless the user chose one or the model's habits suggest a better one. */
  dialect: DialectName;
  /** False for (reasoning) models that refuse a temperature; the others get 0. */
  takesTemperature: boolean;
  /** Whether it accepts pictures; absent if unknown: then only the person's own are sent. */
  seesPictures?: boolean;
  /** The requested amount of reasoning; absent for the model's default. */
  thinking?: ThinkingLevel | undefined;
  /**
   * How long the provider should cache prompts; `refused`: nothing is requested. Absent: the
   * default.
   */
  cache?: CacheLevel | "refused" | undefined;
  /**
   * Identifies the conversation to a provider whose cache has keys. At most 64 characters, without
   * private data.
   */
  cacheKey?: string;
  /** The observed habits of the model. */
  habits?: ModelHabits;
  /** In tokens. */
  contextWindow?: number;
  /** Maximum tokens of one answer; absent for the provider's default. */
  maxOutputTokens?: number;
  /**
   * Dollars per million tokens, if known; `cachedInput` for cache reads, `cacheWrite` for cache
   * writes.
   */
  price?: { input: number; cachedInput: number; cacheWrite: number; output: number };
  /** Which budget beside the run's own forbids to ask it again; absent: there are none. */
  budgetReached?(): Sentence | undefined;
}
