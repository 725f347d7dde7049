import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** Resolves a host's name to its addresses; replaced in tests. */
export type ResolveHost = (host: string) => Promise<string[]>;

/** Metadata services of clouds, which provide keys, at addresses that look public. */
const METADATA = ["168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"];

/** NAT64 prefixes: on an IPv6-only network, the embedded IPv4 address counts. */
const TRANSLATED: [network: string, prefix: number] = ["64:ff9b::", 96];
/**
 * IPv6 networks without public hosts: IPv4-compatible addresses (`::7f00:1`), translation within
 * one network, and tunnels that carry IPv4 (6to4, Teredo).
 */
const CLOSED: [network: string, prefix: number][] = [
  ["::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["2001::", 32],
];
/**
 * An interface with a shorter prefix does not describe its own network, but everything behind it (a
 * VPN).
 */
const SHORTEST = { ipv4: 8, ipv6: 16 };

/** This machine's own addresses with their prefix lengths. */
export type Interfaces = () => { address: string; prefix: number }[];

/** Read each time, since a machine may join networks while it runs. */
const ownInterfaces: Interfaces = () =>
  Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.map(({ address, cidr }) => ({ address, prefix: Number(cidr?.split("/")[1] ?? 128) })),
  );

/** Whether an address belongs to the public internet: not this machine, its networks, a link or a metadata service. */
export function isPublicAddress(address: string, interfaces = ownInterfaces): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside an IPv6 address is judged as the IPv4 address.
  const found = ipaddr.process(address);
  if (METADATA.some((one) => ipaddr.parse(one).toString() === found.toString())) return false;
  if (found instanceof ipaddr.IPv6) {
    const isIn = ([network, prefix]: [string, number]) =>
      found.match(ipaddr.IPv6.parse(network), prefix);
    const bytes = found.toByteArray();
    const carried = bytes.slice(12).join(".");
    if (isIn(TRANSLATED)) return isPublicAddress(carried, interfaces);
    if (CLOSED.some(isIn)) return false;
    if (isTunnelled(bytes) && !isPublicAddress(carried, interfaces)) return false;
  }
  return found.range() === "unicast" && !interfaces().some((own) => isWithin(found, own));
}

/** ISATAP addresses end with an IPv4 address, in any network. */
const isTunnelled = (bytes: number[]) =>
  (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;

function isWithin(
  found: ipaddr.IPv4 | ipaddr.IPv6,
  { address, prefix }: ReturnType<Interfaces>[number],
): boolean {
  const own = ipaddr.process(address.split("%", 1)[0]!);
  if (own.kind() !== found.kind()) return false;
  const bits = own.kind() === "ipv4" ? 32 : 128;
  const length = prefix < SHORTEST[own.kind()] || prefix > bits ? bits : prefix;
  return found.match(own as ipaddr.IPv4, length);
}

/**
 * All addresses of a host, if they are public; connections use exactly these, so that a second
 * lookup changes nothing. Rejects if one is not public (A39).
 */
export async function publicAddresses(
  host: string,
  resolve: ResolveHost = resolveAll,
): Promise<string[]> {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost")) throw new AddressRefused(host);
  const addresses = isIP(name) ? [name] : await resolve(name);
  if (addresses.length === 0 || !addresses.every((address) => isPublicAddress(address)))
    throw new AddressRefused(host);
  return addresses;
}

/** All addresses that this machine's resolver returns for a name. */
export const resolveAll: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
  constructor(host: string) {
    super(`${host} is not a public address.`);
  }
}
