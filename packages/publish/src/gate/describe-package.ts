import { askAdvisories, askLicence, resolvePackages } from "@treadle/egress";
import type { ReviewedPackage } from "@treadle/protocol";
import { readAdvisories } from "../release/read-advisories.ts";

/** Maximum number of advisories that are listed. */
const ADVISORIES_LISTED = 20;

/**
 * Reads from this machine's package registry what a person needs to know who decides about a package: its licence, what
 * it brings, and the known advisories about all of that.
 * @param version a version or tag
 */
export async function describePackage(
  env: Record<string, string | undefined>,
  name: string,
  version: string,
  signal: AbortSignal,
): Promise<ReviewedPackage> {
  const { versions, isCut } = await resolvePackages(env, [[name, version]], signal);
  const own = versions.get(name) || undefined;
  const known = [...versions].filter(([, one]) => one !== "");
  const packages = Object.fromEntries(known.map(([one, number]) => [one, [number]]));
  const [license, answer] = await Promise.all([
    own === undefined ? undefined : askLicence(env, name, own, signal),
    askAdvisories(env, packages, signal),
  ]);
  return {
    name,
    version: own,
    license,
    brings: [...versions.keys()].filter((one) => one !== name).toSorted(),
    isCut: isCut || undefined,
    advisories: readAdvisories(answer, packages)
      ?.slice(0, ADVISORIES_LISTED)
      .map(({ name: about, title, severity }) => ({ name: about, title, severity })),
  };
}
