/** Set on the proxy's refusals: reason and host. The guest reads it to find the refused command. */
export const REFUSED_HEADER = "x-treadle-refused";

/**
 * `not-allowed`: not on the project's list. `address`: on the list, but resolves to an address of this machine's
 * network. `no-name`: an address, or a name that no list can contain. `registry`: the package registry, which is only
 * reachable by its own protocol. `not-named`: the data in a tunnel named another host. `unreached`: allowed, but
 * unreachable from this machine.
 */
export const REFUSAL_REASONS = [
  "not-allowed",
  "address",
  "no-name",
  "registry",
  "not-named",
  "unreached",
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];
