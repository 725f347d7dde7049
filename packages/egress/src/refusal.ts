import type { RefusalReason } from "./refused-header.ts";
import { nameHost, normaliseAllowedHost } from "./allowed-host.ts";

/** A refused host, named in the form of the list. */
export interface Refusal {
  host: string;
  reason: RefusalReason;
}

/**
 * The refusal of a host.
 * @param reason why it is refused regardless of its name; absent: because of its name
 */
export function refusalOf(
  host: string,
  port: number,
  reason?: "address" | "registry" | "not-named" | "unreached",
): Refusal {
  const name = nameHost(host, port);
  if (reason) return { host: name, reason };
  // If a program requests `*.com` itself, a person must not be led to allow more than that.
  const listable = normaliseAllowedHost(name) !== undefined && !name.includes("*");
  return { host: name, reason: listable ? "not-allowed" : "no-name" };
}

const WHY: Record<RefusalReason, string> = {
  "not-allowed":
    "is not among the hosts this project may reach; they are in the project's settings",
  address: "stands for an address of this machine's own network",
  "no-name": "is not the name of a public host, and only such names can be reached",
  registry:
    "is the package registry, which only package managers reach, at the address in npm_config_registry",
  "not-named":
    "was connected to without being named; what goes through must be TLS that names its host, or plain HTTP",
  unreached: "cannot be reached from this machine",
};

/** The refusal as one line for the program that made the request. */
export function refusalWords({ host, reason }: Refusal): string {
  // The guest may send anything.
  return `egress refused: host ${host} ${WHY[reason] ?? WHY["not-allowed"]}\n`;
}
