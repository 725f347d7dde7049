import type { Elsewhere, ElsewhereTarget, Release } from "@treadle/protocol";

/** What is shown before anybody has chosen: where it was sent last, else the first that takes what the release is. */
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
