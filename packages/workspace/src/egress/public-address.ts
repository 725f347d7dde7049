import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Tests put a resolver of their own in its place. */
export type Resolve = (host: string) => Promise<string[]>;

/** Whether an address belongs to the public internet: not this machine, its network, a link or a metadata service. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside of an IPv6 one counts as what it is.
  return ipaddr.process(address).range() === "unicast";
}

/**
 * The addresses of a host, all of them public; they are what is connected to, so that a second answer of the resolver
 * changes nothing. Rejects where one of them is not (A39).
 */
export async function publicAddresses(
  host: string,
  resolve: Resolve = resolveAll,
): Promise<string[]> {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost")) throw new AddressRefused(host);
  const addresses = isIP(name) ? [name] : await resolve(name);
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) throw new AddressRefused(host);
  return addresses;
}

/** Every address that this machine's own resolver has for a name. */
export const resolveAll: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
  constructor(host: string) {
    super(`${host} is not a public address.`);
  }
}
