import { BlockList, isIP } from "node:net";
import {
  AddressRefused,
  isPublicAddress,
  publicAddresses,
  resolveAll,
  type ResolveHost,
} from "@treadle/egress/public-address";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";

/** The address of a repository. */
export interface GitAddress {
  kind: "https" | "http" | "ssh";
  host: string;
  port: number;
  /** The address for git: never contains a password. */
  url: string;
  /** The user name in the address. */
  user?: string;
  /** The password in the address: stored with the logins, not with the address. */
  password?: string;
  /** The last part of its path, without `.git`. */
  name: string;
}

const PORTS = { https: 443, http: 80, ssh: 22 };
/** `user@host:path`, the scp-like form of ssh, without a scheme. */
const SHORT = /^(?:([\w.-]+)@)?([\w.-]+|\[[0-9a-f:]+\]):(?![:/]{2}|:)(.+)$/i;

/**
 * Parses the address that a person typed. Accepts only https, http and ssh: git's other transports
 * run programs or read this machine's files (A26).
 * @throws ApiFailure that explains what can be typed
 */
export function readGitAddress(text: string): GitAddress {
  const typed = text.trim();
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  if (!/^[\w[]/.test(typed) || /[\s\u0000-\u001f\u007f]/.test(typed)) throw wrong();
  const short = typed.includes("://") ? null : SHORT.exec(typed);
  if (short) {
    const [, user, host = "", path = ""] = short;
    return readGitAddress(
      `ssh://${user === undefined ? "" : `${user}@`}${host}/${path.replace(/^\/+/, "")}`,
    );
  }
  const url = URL.parse(typed.includes("://") ? typed : `https://${typed}`);
  const kind = /^(https?|ssh):$/.exec(url?.protocol ?? "")?.[1] as GitAddress["kind"] | undefined;
  if (!url || !kind || url.search !== "" || url.hash !== "") throw wrong();
  const host = decode(url.hostname);
  const path = decode(url.pathname);
  if (!/^[\w.-]+$|^\[[0-9a-f:.]+\]$/i.test(host) || host.startsWith("-") || path.length < 2)
    throw wrong();
  const user = decode(url.username);
  const password = decode(url.password);
  // ssh receives the name as an argument.
  if (user.startsWith("-") || (kind === "ssh" && !/^[\w.-]*$/.test(user))) throw wrong();
  url.password = "";
  if (kind !== "ssh") url.username = "";
  return {
    kind,
    host,
    port: Number(url.port || PORTS[kind]),
    url: url.href,
    user: user || undefined,
    password: password || undefined,
    name:
      path
        .replace(/\/+$/, "")
        .split("/")
        .at(-1)!
        .replace(/\.git$/, "") || "repository",
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong();
  }
}

const wrong = () => new ApiFailure(400, "git-address", sentence("git-address"));

/**
 * Resolves a host once: connections use exactly this address (A39). An address of this machine or
 * its network is only used if the person has allowed it.
 * @throws ApiFailure `git-local` if not allowed
 */
export async function reachGit(
  { host, kind }: GitAddress,
  local: boolean,
  resolve: ResolveHost = resolveAll,
): Promise<string> {
  const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (!local) {
    try {
      const [address = ""] = await publicAddresses(bare, resolve);
      if (kind === "http") throw new ApiFailure(400, "git-plain", sentence("git-plain", { host }));
      return address;
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw unreachable(host, error);
      throw new ApiFailure(409, "git-local", sentence("git-local", { host }));
    }
  }
  const addresses =
    isIP(bare) !== 0
      ? [bare]
      : bare === "localhost"
        ? ["127.0.0.1"]
        : await lookedUp(bare, resolve);
  // A cloud's metadata service answers there, with its keys; repositories do not.
  const meant = addresses.find((address) => isPublicAddress(address) || !isMetadata(address));
  if (meant === undefined)
    throw new ApiFailure(403, "git-refused", sentence("git-host-refused", { host }));
  return meant;
}

/** Link-local addresses and those of metadata services, in every spelling, including IPv4-mapped IPv6 addresses. */
const METADATA = new BlockList();
METADATA.addSubnet("169.254.0.0", 16);
METADATA.addSubnet("fe80::", 10, "ipv6");
METADATA.addSubnet("fd00:ec2::", 32, "ipv6");
for (const one of ["100.100.100.200", "192.0.0.192", "168.63.129.16"]) METADATA.addAddress(one);

const isMetadata = (address: string) =>
  METADATA.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

async function lookedUp(host: string, resolve: ResolveHost): Promise<string[]> {
  return resolve(host).catch((error: unknown) => {
    throw unreachable(host, error);
  });
}

function unreachable(host: string, error: unknown): Error {
  return error instanceof ApiFailure
    ? error
    : new ApiFailure(502, "git-unreachable", sentence("git-host-unknown", { host }));
}
