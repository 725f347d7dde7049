import type { AskedItem, Evidence } from "./types.ts";

/**
 * Evidence in which the person has agreed that something which only eyes can judge is as they asked for.
 * @param what the item, in the words that the evidence has for it
 * @returns undefined where the evidence has no such item that is still open
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
