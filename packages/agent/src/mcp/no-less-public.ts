import { sentence } from "@treadle/protocol/sentences";
import { isIP } from "node:net";
import { onceDone } from "@treadle/protocol/lifecycle";
import {
  AddressRefused,
  isPublicAddress,
  publicAddresses,
  resolveAll,
  type ResolveHost,
} from "@treadle/egress/public-address";
import { checkedFetch, type AddressesOf } from "../fetch/checked-fetch.ts";
import { McpError } from "./types.ts";

/**
 * `fetch` for a server and for the addresses that it names, such as its sign-in server. A server on the internet can
 * name nothing on this machine or its network (A39), also not by a name that later resolves to such an address. A
 * server on the local network can; it counts as local only if all addresses of its name are.
 * @param open replaced in tests
 */
export function noLessPublic(
  server: string,
  open: (addressesOf: AddressesOf) => typeof fetch = checkedFetch,
  resolve: ResolveHost = resolveAll,
): typeof fetch {
  const own = bare(new URL(server).hostname);
  const lookUp = async (host: string) => (isIP(host) === 0 ? resolve(host) : [host]);
  const isInner = (addresses: string[]) =>
    addresses.length > 0 && !addresses.some((address) => isPublicAddress(address));
  const isOwnInner = onceDone(async () => isInner(await lookUp(own)));
  return open(async (given) => {
    const host = bare(given);
    if (await isOwnInner()) {
      const addresses = await lookUp(host);
      if (host !== own || isInner(addresses)) return addresses;
    }
    try {
      return await publicAddresses(host, resolve);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      throw new McpError("failed", sentence("mcp-address-not-public", { address: given }));
    }
  });
}

const bare = (host: string) => host.replace(/^\[(.*)\]$/, "$1");
