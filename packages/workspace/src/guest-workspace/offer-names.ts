import type { Reachable } from "@treadle/egress";
import { FONT_HOSTS } from "@treadle/egress";
import type { GuestLink } from "./guest-link.ts";

/**
 * Makes allowed hosts resolvable by name in the sandbox, for programs that do not support proxies. If the sandbox
 * cannot do that, only the proxy leads outside.
 */
export function createNameOffers({ request }: Pick<GuestLink, "request">) {
  let offered: string | undefined;
  return async (reachable: Reachable): Promise<void> => {
    const hosts = [...reachable.hosts, ...(reachable.staticHosts ? FONT_HOSTS : [])];
    if (offered === String(hosts)) return;
    offered = String(hosts);
    await request("offer-names", { hosts }).catch(() => undefined);
  };
}
