import type { IncomingMessage } from "node:http";
import { isPreviewHost, type PublicAddress, type TrustedProxies, visitorOf } from "@treadle/common";

/** A host, optionally with a port, and nothing else. */
const HOST = /^[a-z0-9.-]+(?::\d{1,5})?$/i;

/**
 * Restores the Host that the client sent, from `X-Forwarded-Host`, if the request comes from a proxy that the
 * operator named. From anybody else, that header is ignored.
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

/** The kind of host to which a request to a server with a public address was sent. */
export type Entrance =
  /** Treadle's own public host. */
  | "own"
  /** A host below the domain of previews, which apps and shares may have as well. */
  | "preview"
  /** A public host without https: others could read what is sent. */
  | "unprotected"
  /**
   * A preview's host on this machine. Only the looking browser uses it, through the gateway and not through here.
   */
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
