import type { IncomingMessage } from "node:http";
import { isPreviewHost, type PublicAddress, type TrustedProxies, visitorOf } from "@treadle/common";

/** A Host header and nothing else, as a proxy forwards it. */
const HOST = /^[a-z0-9.-]+(?::\d{1,5})?$/i;

/**
 * Gives a request the Host that its sender named, if a named proxy replaced it by another. Nobody
 * else's word counts.
 */
export function restoreHost(request: IncomingMessage, proxies: TrustedProxies): void {
  const { headers, rawHeaders, socket } = request;
  const forwarded = headers["x-forwarded-host"];
  if (!proxies.areNamed || !proxies.has(socket.remoteAddress)) return;
  if (typeof forwarded !== "string" || !HOST.test(forwarded)) return;
  headers.host = forwarded;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.toLowerCase() === "host") rawHeaders[index + 1] = forwarded;
}

/** Where a request to a server with a public address belongs. */
export type Entrance =
  /** Treadle's own public host. */
  | "own"
  /** A host below the domain of previews, which apps and shares may have as well. */
  | "preview"
  /** A public host, without https: what is sent can be read on its way. */
  | "unprotected"
  /** A preview's host of this machine: only the looking browser, which does not come this way. */
  | "closed"
  | "other";

export function entranceOf(
  request: IncomingMessage,
  people: PublicAddress,
  proxies: TrustedProxies,
): Entrance {
  const host = request.headers.host?.toLowerCase() ?? "";
  const isOwn = host === people.host;
  if (isOwn || isPreviewHost(host, people.previewDomain)) {
    if (visitorOf(request, proxies).protocol !== "https") return "unprotected";
    return isOwn ? "own" : "preview";
  }
  return isPreviewHost(host) ? "closed" : "other";
}
