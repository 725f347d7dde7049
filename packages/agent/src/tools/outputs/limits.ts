/** Characters of one output that are kept for the model: a build's whole log; at most 900,000 bytes. */
export const OUTPUT_KEPT = 300_000;
