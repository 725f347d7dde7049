import type { IncomingMessage } from "node:http";

/**
 * Headers of one connection (RFC 9110, 7.6.1): they end at Treadle, which speaks HTTP of its own on both sides. `Proxy` is
 * none of HTTP: programs behind CGI take it for the proxy that they are to use.
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

/** Headers that `Connection` cannot remove: they say for whom a message is, and where it ends. */
const OF_MESSAGE = new Set(["content-length", "host"]);

/** @param name in lower case */
export const isOfConnection = (name: string): boolean => OF_CONNECTION.has(name);

/** The headers that `Connection` names besides, in lower case; undefined if it names none. */
export function namedByConnection(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || connection === "keep-alive" || connection === "close")
    return undefined;
  const names = connection.split(",").map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => !OF_MESSAGE.has(name)));
}

export type HeaderLists = Record<string, string[]>;

/** The headers that are passed on, by lower-case name: all but those of the connection and those that `Connection` names. */
export function endToEndHeaders(message: IncomingMessage): HeaderLists {
  const named = namedByConnection(message.headers.connection);
  const passed: HeaderLists = {};
  for (const [name, values] of Object.entries(message.headersDistinct))
    if (values && !OF_CONNECTION.has(name) && !named?.has(name)) passed[name] = [...values];
  return passed;
}
