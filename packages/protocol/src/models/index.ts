/** How much a model can be told to think before it answers. Not every model can be kept from it. */
export const THINKING_LEVELS = ["off", "low", "high"] as const;

/** One of these. */
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

/** How long a provider can be told to cache the beginning of a prompt. Each model offers those that its protocol has. */
export const CACHE_LEVELS = ["off", "short", "long"] as const;

/** One of these. */
export type CacheLevel = (typeof CACHE_LEVELS)[number];
