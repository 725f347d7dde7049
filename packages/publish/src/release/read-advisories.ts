import { satisfies } from "semver";

/** An advisory about a package of a project. */
export interface KnownAdvisory {
  name: string;
  version: string;
  title: string;
  severity: string;
  /** The affected versions. */
  range: string;
}

/**
 * Selects the advisories of a registry's answer that apply to these versions; the answer covers all
 * versions.
 * @returns undefined if it is not a valid answer
 */
export function readAdvisories(
  answer: unknown,
  packages: Readonly<Record<string, readonly string[]>>,
): KnownAdvisory[] | undefined {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return undefined;
  const known = answer as Record<string, unknown>;
  return Object.entries(packages).flatMap(([name, versions]) => {
    const advisory = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!Array.isArray(advisory)) return [];
    return advisory.flatMap((one: unknown) => {
      const { title, severity, vulnerable_versions: range } = one as Record<string, unknown>;
      if (typeof title !== "string" || typeof range !== "string") return [];
      const version = versions.find((own) => satisfies(own, range, { includePrerelease: true }));
      return version === undefined
        ? []
        : [{ name, version, title, severity: String(severity), range }];
    });
  });
}
