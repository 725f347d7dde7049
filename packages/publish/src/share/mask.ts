/** Shown in place of what must not be shown. */
export const MASK = "•••";
