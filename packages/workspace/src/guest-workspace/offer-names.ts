import type { Reachable } from "@treadle/egress";
import { FONT_HOSTS } from "@treadle/egress";
import type { GuestLink } from "./guest-link.ts";

/**
 * Has what may be reached be found by its name inside, for programs that know no proxy. Where the sandbox cannot do that,
 * the way out is found by the proxy alone.
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
