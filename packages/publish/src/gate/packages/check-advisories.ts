import { readAdvisories } from "../../release/read-advisories.ts";
import { packagesIn } from "./check-lock-file.ts";
import type { LockedPackages } from "./locked-packages.ts";
import type { Found } from "../types.ts";

const NOT_ASKED = "Known advisories could not be checked: the package registry did not answer.";

/**
 * The registry's advisories for the packages of a lock file. A missing answer is reported as
 * unknown, not as clean.
 */
export function checkAdvisories(
  answer: unknown,
  lockFile: LockedPackages,
): { found: Found[]; unchecked: string[] } {
  const packages = packagesIn(lockFile);
  if (Object.keys(packages).length === 0) return { found: [], unchecked: [] };
  const known = readAdvisories(answer, packages);
  if (!known) return { found: [], unchecked: [NOT_ASKED] };
  const found = known.map(({ name, version, title, severity, range }): Found => ({
    check: "advisories",
    severity: /^(?:high|critical)$/.test(severity) ? "serious" : "minor",
    title: `${title.slice(0, 200).replace(/\.$/, "")} (${severity.slice(0, 20)}).`,
    where: `${lockFile.file}: ${name}@${version}`,
    todo: `Install a fixed version of ${name}: ${range.slice(0, 60)}.`,
  }));
  return { found, unchecked: [] };
}
