/** On the proxy's answers that are a refusal: reason and host. The guest reads it to say whose command was refused. */
export const REFUSED_HEADER = "x-treadle-refused";

/**
 * `not-allowed`: it is not on the project's list. `address`: it is, but stands for something of this machine's own
 * network. `no-name`: an address, or a name that no list can hold. `registry`: the package registry, which is reached by
 * its own protocol alone. `not-named`: what went through a tunnel to it did not name it. `unreached`: it may be reached,
 * and cannot be from this machine.
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
