/** Replaces text that must not be shown. */
export const MASK = "•••";
