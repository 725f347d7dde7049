import { isIP } from "node:net";

/**
 * Whether a host may be reached, by its whole name (A29): letter case and one trailing dot do not matter; an address is
 * never a name; an empty list allows nothing (A30).
 */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (name === "" || isIP(name) !== 0 || !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name)) return false;
  return allowed.some((entry) => entry.toLowerCase().replace(/\.$/, "") === name);
}
