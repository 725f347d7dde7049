import type { IncomingMessage } from "node:http";
import type { Asker } from "@treadle/accounts";
import { clientOf, isLoopbackAddress, type TrustedProxies, visitorOf } from "@treadle/common";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { OwnHosts } from "../server-address.ts";
import { browserCookieName } from "./check-access.ts";

/**
 * Where a sign-in request comes from: the client's address as trusted proxies forward it, and the browser's mark.
 * The address is empty for loopback and for requests made in this process.
 */
export function askerOf(
  c: Context,
  { ownHosts, proxies }: { ownHosts(): OwnHosts; proxies: TrustedProxies },
): Asker {
  // `incoming` is undefined for requests that are made in this process.
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  const client = incoming ? clientOf(visitorOf(incoming, proxies).address) : "";
  return {
    client: isLoopbackAddress(client) || client === LOOPBACK_NETWORK ? "" : client,
    mark: getCookie(c, browserCookieName(ownHosts())),
  };
}

/** The network to which `clientOf` assigns `::1`. */
const LOOPBACK_NETWORK = clientOf("::1");
