/**
 * Maximum length of one saved output, in characters: enough for a build log, and at most 900,000
 * bytes.
 */
export const OUTPUT_KEPT = 300_000;
