import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** Tests put a resolver of their own in its place. */
export type ResolveHost = (host: string) => Promise<string[]>;

/** Answer from within a cloud's own machines, with its keys, although they look public. */
const METADATA = ["168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"];

/** Where a network that has only IPv6 finds the hosts of IPv4: what counts is the address that it is translated to. */
const TRANSLATED: [network: string, prefix: number] = ["64:ff9b::", 96];
/**
 * Networks of IPv6 in which nothing is public: IPv4-compatible addresses (`::7f00:1`), translation within one network,
 * and tunnels that carry IPv4 (6to4, Teredo).
 */
const CLOSED: [network: string, prefix: number][] = [
  ["::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["2001::", 32],
];
/** A shorter prefix of an interface names no network that it is in, but all that is reached through it (a VPN). */
const SHORTEST = { ipv4: 8, ipv6: 16 };

/** This machine's own addresses with the lengths of their networks' prefixes. */
export type Interfaces = () => { address: string; prefix: number }[];

/** Taken afresh each time: a machine joins networks while it runs. */
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
 * The addresses of a host, all of them public; they are what is connected to, so that a second answer of the resolver
 * changes nothing. Rejects where one of them is not (A39).
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

/** Every address that this machine's own resolver has for a name. */
export const resolveAll: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
  constructor(host: string) {
    super(`${host} is not a public address.`);
  }
}
