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
 * Checks that a request has one meaning before anybody handles it, and gives it the target in the form that is judged and
 * sent on.
 * @returns why it is to be answered 400; undefined if it may go on
 */
export function admitRequest(request: IncomingMessage): string | undefined {
  if (!namesOneHost(request)) return TWO_HOSTS;
  const target = readRequestTarget(request.url);
  if (!target) return BAD_TARGET;
  if (!readFraming(request)) return BAD_LENGTH;
  request.url = target.text;
  return undefined;
}

/** The same check for an upgrade, whose body would be mistaken for WebSocket data (RFC 6455, 4.1). */
export function admitUpgrade(request: IncomingMessage): string | undefined {
  if (request.method !== "GET" || readFraming(request)?.kind !== "none") return BAD_UPGRADE;
  return admitRequest(request);
}

/** Answers a request that can be read in more than one way, and ends its connection: what follows may be no request. */
export function refuseRequest(response: ServerResponse, problem = BAD_TARGET): void {
  response.writeHead(400, { ...PLAIN, connection: "close" }).end(problem);
}
