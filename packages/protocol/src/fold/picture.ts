import type { Evidence } from "../evidence/types.ts";

/** Hash of the picture by which a person knows what was looked at: of its first page. Undefined where none was taken. */
export function pictureOf(evidence: Evidence | undefined): string | undefined {
  // The first page is told last.
  return evidence?.pages.findLast(({ picture }) => picture)?.picture?.hash;
}
