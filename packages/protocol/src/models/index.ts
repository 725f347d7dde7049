/** How much a model can be told to think before it answers. Not every model can be kept from it. */
export const THINKING_LEVELS = ["off", "low", "high"] as const;

/** One of these. */
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];
