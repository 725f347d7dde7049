import type { IncomingMessage } from "node:http";
import type { Asker } from "@treadle/accounts";
import { clientOf, isLoopbackAddress, type TrustedProxies, visitorOf } from "@treadle/common";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { OwnHosts } from "../server-address.ts";
import { browserCookieName } from "./check-access.ts";

/** Where a request to sign in comes from: the address as proxies forward it, and the browser's mark. */
export function askerOf(
  c: Context,
  { ownHosts, proxies }: { ownHosts(): OwnHosts; proxies: TrustedProxies },
): Asker {
  // Absent for requests that are made in this process.
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  const client = incoming ? clientOf(visitorOf(incoming, proxies).address) : "";
  return {
    client: isLoopbackAddress(client) || client === LOOPBACK_NETWORK ? "" : client,
    mark: getCookie(c, browserCookieName(ownHosts())),
  };
}

/** `::1`, as `clientOf` groups addresses. */
const LOOPBACK_NETWORK = clientOf("::1");
