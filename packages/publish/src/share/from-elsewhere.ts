import type { IncomingMessage } from "node:http";

/**
 * Whether another page asks, and not a person who follows a link. Below one domain for all apps a browser sends the cookie
 * along for the pages of other apps, so that it alone does not tell.
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
