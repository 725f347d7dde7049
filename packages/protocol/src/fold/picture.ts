import type { Evidence } from "../evidence/types.ts";

/** Hash of the screenshot of the first page, which represents the evidence. Undefined if there is none. */
export function pictureOf(evidence: Evidence | undefined): string | undefined {
  // The first page is reported last.
  return evidence?.pages.findLast(({ picture }) => picture)?.picture?.hash;
}
