import type { Elsewhere, ElsewhereTarget, Release } from "@treadle/protocol";

/**
 * The target shown before one is selected: the last one used, or else the first that supports releases of that kind, or
 * else the first. Undefined only if there are no targets.
 */
export function firstTarget(
  { targets, deployments }: Elsewhere,
  kind: Release["kind"] = "site",
): ElsewhereTarget | undefined {
  return (
    targets.find(({ id }) => id === deployments[0]?.target) ??
    targets.find(({ carries }) => carries.includes(kind)) ??
    targets[0]
  );
}
