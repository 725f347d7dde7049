import type { IncomingMessage } from "node:http";

/** Headers of one connection: they end at the gateway, which speaks its own HTTP on both sides. */
const HOP = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** @param name in lower case */
export const isOfConnection = (name: string): boolean => HOP.has(name);

/** What `Connection` names besides, in lower case; undefined where it is nothing but whether to keep it. */
export function namedByConnection(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || connection === "keep-alive" || connection === "close")
    return undefined;
  return new Set(connection.split(",").map((name) => name.trim().toLowerCase()));
}

export type HeaderLists = Record<string, string[]>;

/** What goes on to the other side, by lower-case name; what `Connection` names stays behind as well. */
export function endToEndHeaders(message: IncomingMessage): HeaderLists {
  const named = namedByConnection(message.headers.connection);
  const kept: HeaderLists = {};
  for (const [name, values] of Object.entries(message.headersDistinct))
    if (values && !HOP.has(name) && !named?.has(name)) kept[name] = [...values];
  return kept;
}
