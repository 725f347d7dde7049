import type { AskedItem, Evidence } from "./types.ts";

/**
 * Evidence with the person's confirmation of an item that only a person can judge.
 * @param what the item, in the words of the evidence
 * @returns undefined if the evidence has no such open item
 */
export function agreeAsked(evidence: Evidence, what: string): Evidence | undefined {
  const isMeant = (item: AskedItem) =>
    item.what === what && item.byEye === true && item.check === undefined && !item.isAgreed;
  if (!evidence.asked?.some(isMeant)) return undefined;
  return {
    ...evidence,
    asked: evidence.asked.map((item) => (isMeant(item) ? { ...item, isAgreed: true } : item)),
  };
}

/** The requirements of another revision than the one that the person confirmed. */
export const withoutAgreement = (asked: readonly AskedItem[]): AskedItem[] =>
  asked.map(({ isAgreed: _isAgreed, ...item }) => item);
