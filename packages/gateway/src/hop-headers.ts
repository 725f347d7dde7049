import type { IncomingMessage } from "node:http";

/**
 * Hop-by-hop headers (RFC 9110, 7.6.1): they end at Treadle, which speaks HTTP on both sides.
 * `Proxy` is not an HTTP header: CGI programs take it for the proxy to use.
 */
const OF_CONNECTION = new Set([
  "connection",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that `Connection` cannot remove: they determine a message's recipient and its end. */
const OF_MESSAGE = new Set(["content-length", "host"]);

/** Whether a header is hop-by-hop. @param name in lower case */
export const isOfConnection = (name: string): boolean => OF_CONNECTION.has(name);

/** The header names listed in `Connection`, in lower case; undefined if there are none. */
export function namedByConnection(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || connection === "keep-alive" || connection === "close")
    return undefined;
  const names = connection.split(",").map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => !OF_MESSAGE.has(name)));
}

export type HeaderLists = Record<string, string[]>;

/**
 * The headers to forward, by lower-case name: all except hop-by-hop headers and those listed in
 * `Connection`.
 */
export function endToEndHeaders(message: IncomingMessage): HeaderLists {
  const named = namedByConnection(message.headers.connection);
  const passed: HeaderLists = {};
  for (const [name, values] of Object.entries(message.headersDistinct))
    if (values && !OF_CONNECTION.has(name) && !named?.has(name)) passed[name] = [...values];
  return passed;
}
