import type { Evidence } from "@treadle/protocol";

/** Paths of the app that a look opened or found links to, offered in the address field; the start page first. */
export function routesOf(evidence: Evidence | undefined): string[] {
  const pages = evidence?.pages ?? [];
  const paths = pages.flatMap(({ path, links = [] }) => [path, ...links]);
  return [...new Set(["/", ...paths])];
}
