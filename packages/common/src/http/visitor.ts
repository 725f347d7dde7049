import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Reverse proxies in front of Treadle whose forwarding headers are trusted. */
export interface TrustedProxies {
  /** Whether this is the address of a trusted proxy. */
  has(address: string | undefined): boolean;
  /** Whether the settings name them. Otherwise, programs on this machine are trusted. */
  areNamed: boolean;
}

/** No proxy is in front. */
export const NO_PROXIES: TrustedProxies = { has: () => false, areNamed: false };

/** Addresses that are trusted unless the settings name others: programs of this machine. */
const THIS_MACHINE = "127.0.0.0/8,::1";

/**
 * Parses `TREADLE_PROXIES`: addresses and networks (`10.0.0.0/8`), separated by commas; `none` trusts no proxy.
 * @throws Error with a sentence that names the variable
 */
export function readTrustedProxies(text: string | undefined): TrustedProxies {
  const list = new BlockList();
  const named = text?.trim() ?? "";
  const given = named === "" ? THIS_MACHINE : named;
  if (given !== "none") for (const one of given.split(",")) addNetwork(list, one.trim());
  return {
    has(address) {
      const version = isIP(address ?? "");
      return version !== 0 && list.check(address!, version === 6 ? "ipv6" : "ipv4");
    },
    areNamed: named !== "",
  };
}

function addNetwork(list: BlockList, text: string): void {
  const [, address = "", prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const bits = version === 6 ? 128 : 32;
  if (version === 0 || Number(prefix ?? bits) > bits)
    throw new Error(
      `TREADLE_PROXIES has “${text}”, which is no address. Give the addresses or networks of the web servers in front of Treadle, as in 127.0.0.1,10.0.0.0/8, or none.`,
    );
  list.addSubnet(address, Number(prefix ?? bits), version === 6 ? "ipv6" : "ipv4");
}

/** The client of a request, as far as it is known. */
export interface Visitor {
  /** An address; empty if the connection has none. */
  address: string;
  protocol: "http" | "https";
}

/** Names that only programs on this machine request, so no proxy is involved. */
const NAMED_HERE = /\.localhost(?::\d+)?$/i;

/**
 * Determines the client. Forwarding headers count only if the settings name the proxy, by the
 * address of its socket. Of the listed addresses, the last one that is not a trusted proxy counts:
 * anyone may have written those before it.
 */
export function visitorOf(
  request: Pick<IncomingMessage, "headers" | "socket">,
  proxies: TrustedProxies,
): Visitor {
  const { headers } = request;
  const peer = request.socket.remoteAddress ?? "";
  const isForwarded =
    headers["x-forwarded-proto"] === "https" &&
    !NAMED_HERE.test(headers.host ?? "") &&
    proxies.has(peer);
  if (!isForwarded) return { address: peer, protocol: "http" };
  const listed = String(headers["x-forwarded-for"] ?? "").split(",");
  let address = peer;
  for (const one of listed.toReversed()) {
    const next = one.trim();
    if (isIP(next) === 0) break;
    address = next;
    if (!proxies.has(address)) break;
  }
  return { address, protocol: "https" };
}

/**
 * Whether a header claims the client's address or name: only Treadle may tell an app. Python's and
 * PHP's servers treat `_` in a name as `-`.
 * @param name in lower case
 */
export function isForwarding(name: string): boolean {
  let is = known.get(name);
  if (is === undefined) {
    is = saysWhoAsks(name);
    if (known.size < KNOWN_NAMES) known.set(name, is);
  }
  return is;
}

/** Cache of names: most requests have the same ten. */
const known = new Map<string, boolean>();
const KNOWN_NAMES = 1_000;

function saysWhoAsks(name: string): boolean {
  const plain = name.includes("_") ? name.replaceAll("_", "-") : name;
  return (
    plain.startsWith("x-forwarded") ||
    plain === "forwarded" ||
    (plain.endsWith("-ip") && /(?:^|-)(?:client|connecting|real)-ip$/.test(plain))
  );
}

/**
 * Groups addresses by client: an IPv4 address, or the network of an IPv6 address, since everyone
 * has 2⁶⁴ of those. Invalid addresses count as one client.
 */
export function clientOf(address: string): string {
  if (!address.includes(":")) return address;
  const four = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (four !== undefined) return four;
  if (isIP(address) !== 6) return "";
  const [front = "", back] = address.split("%", 1)[0]!.split("::");
  const groups = front === "" ? [] : front.split(":");
  // Between the colons of `a::b` are zeros, and only the first four groups count.
  const behind = back === undefined || back === "" ? [] : back.split(":");
  const zeros = back === undefined ? 0 : Math.max(0, 8 - groups.length - behind.length);
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...behind];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
