import type { IncomingMessage, ServerResponse } from "node:http";
import { readFraming } from "./framing.ts";
import { namesOneHost } from "./one-host.ts";
import { readRequestTarget } from "./request-target.ts";

const TWO_HOSTS = "This request names two hosts, and no more than one can answer.\n";
const BAD_TARGET = "This request asks for an address that can be read in more than one way.\n";
const BAD_LENGTH = "This request says in more than one way where it ends.\n";
const BAD_UPGRADE = "A WebSocket begins with a GET request that has no body.\n";

const PLAIN = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };

/**
 * Checks that a request is unambiguous before it is handled, and normalises its target for checks
 * and forwarding.
 * @returns the reason to answer 400; undefined if it is accepted
 */
export function admitRequest(request: IncomingMessage): string | undefined {
  if (!namesOneHost(request)) return TWO_HOSTS;
  const target = readRequestTarget(request.url);
  if (!target) return BAD_TARGET;
  if (!readFraming(request)) return BAD_LENGTH;
  request.url = target.text;
  return undefined;
}

/**
 * Does the same for an upgrade, which must have no body: a body would be mistaken for WebSocket data (RFC 6455, 4.1).
 */
export function admitUpgrade(request: IncomingMessage): string | undefined {
  if (request.method !== "GET" || readFraming(request)?.kind !== "none") return BAD_UPGRADE;
  return admitRequest(request);
}

/**
 * Refuses an ambiguous request, and closes its connection: the data after it may not be a request.
 */
export function refuseRequest(response: ServerResponse, problem = BAD_TARGET): void {
  response.writeHead(400, { ...PLAIN, connection: "close" }).end(problem);
}
