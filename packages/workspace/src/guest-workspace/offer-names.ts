import type { Reachable } from "../egress/project-settings.ts";
import type { GuestLink } from "./guest-link.ts";

/** Those of the web; others only where the project's list names them. */
const WEB = [80, 443];
/** Of one sandbox; each name that is asked for has a socket for each. */
const MOST = 16;

/** Ports at which something of a list may be reached. */
export const portsOf = ({ hosts }: Pick<Reachable, "hosts">): number[] => {
  const named = hosts.flatMap((host) => /:(\d+)$/.exec(host)?.[1] ?? []).map(Number);
  return [...new Set([...WEB, ...named])].slice(0, MOST);
};

/**
 * Has hosts outside be found by their names inside, at the ports that may be reached. Where the sandbox cannot listen at such
 * ports, programs find the way out by the proxy alone.
 */
export function createNameOffers({ request }: Pick<GuestLink, "request">) {
  let told = "";
  return async (reachable: Reachable): Promise<void> => {
    const ports = portsOf(reachable);
    if (told === String(ports)) return;
    told = String(ports);
    await request("offer-names", { ports }).catch(() => undefined);
  };
}
