import type { IncomingMessage } from "node:http";

/**
 * Whether the request comes from another page and not from a person following a link. If all apps
 * share one domain, browsers send the cookie with requests by other apps' pages, so the cookie is not
 * sufficient.
 */
export function isFromElsewhere({ headers, method }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return false;
  if (site === undefined) {
    const { origin } = headers;
    return origin !== undefined && URL.parse(origin)?.host !== headers.host?.toLowerCase();
  }
  return !(
    method === "GET" &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document"
  );
}
