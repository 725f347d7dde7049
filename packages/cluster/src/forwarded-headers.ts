import type { IncomingMessage } from "node:http";

/** The secret that the servers share. */
export const SECRET_HEADER = "x-treadle-cluster";
/** The address from which the first server received the request. */
export const CLIENT_HEADER = "x-treadle-client";

/** Hop-by-hop headers (RFC 9110, 7.6.1), which end at each server. */
const OF_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);

/** Pairs of names and values as they arrived, without hop-by-hop headers and those between servers. */
export function passedHeaders(message: Pick<IncomingMessage, "rawHeaders">): string[] {
  const passed: string[] = [];
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = message.rawHeaders.slice(index, index + 2);
    const known = name.toLowerCase();
    if (OF_CONNECTION.has(known) || known === SECRET_HEADER || known === CLIENT_HEADER) continue;
    passed.push(name, value);
  }
  return passed;
}
