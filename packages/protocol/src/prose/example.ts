/** A sentence that announces what is only shown. */
export const EXAMPLE =
  /\b(?:examples?|e\.g\.|for instance|samples?|snippets?|usage|looks? like|similar to|such as)\b/i;
/** Languages of fences in which something is shown: a difference, a transcript. */
export const SHOWN = /^(?:diff|patch|console|output|log)\b/i;
