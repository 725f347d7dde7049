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

export type HeaderLists = Record<string, string[]>;

/** What goes on to the other side, by lower-case name; what `Connection` names stays behind as well. */
export function endToEndHeaders(message: IncomingMessage): HeaderLists {
  const named = new Set(
    (message.headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()),
  );
  const kept: HeaderLists = {};
  for (const [name, values] of Object.entries(message.headersDistinct))
    if (values && !HOP.has(name) && !named.has(name)) kept[name] = [...values];
  return kept;
}
