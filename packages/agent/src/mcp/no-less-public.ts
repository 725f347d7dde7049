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
 * `fetch` for a server, and for what it names as its own: where it signs people in, and what that names in turn. A server of
 * the internet can name nothing of this machine or its network (A39), also not by a name that comes to stand for it, and is
 * not there itself later on. One of the network may, and is one only where all that its name stands for is in there.
 * @param open tests put their own in place of what connects
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
