/** The levels of thinking that can be requested. Not every model can be stopped from thinking. */
export const THINKING_LEVELS = ["off", "low", "high"] as const;

/** One of `THINKING_LEVELS`. */
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

/** The durations for which a provider can cache the start of a prompt. Each model offers those of its protocol. */
export const CACHE_LEVELS = ["off", "short", "long"] as const;

/** One of `CACHE_LEVELS`. */
export type CacheLevel = (typeof CACHE_LEVELS)[number];
