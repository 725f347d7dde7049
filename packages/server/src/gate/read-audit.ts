import type { Found } from "./types.ts";

interface Advised {
  name?: string;
  severity?: string;
  range?: string;
  via?: (string | { title?: string; url?: string })[];
}

const NOT_ASKED = "Known advisories could not be asked for: the package registry gave no answer.";

/**
 * What `npm audit --json` printed. Where the registry could not be asked nothing is known, which is said, and is not the
 * same as nothing found.
 */
export function readAudit(output: string): { found: Found[]; unchecked: string[] } {
  const advised = advisedOf(output);
  if (!advised) return { found: [], unchecked: [NOT_ASKED] };
  const found = Object.values(advised).flatMap(({ name = "", severity = "", range, via = [] }) => {
    // Those that only depend on one are told by it.
    const titles = via.flatMap((one) => (typeof one === "string" ? [] : (one.title ?? [])));
    if (titles.length === 0) return [];
    return [
      {
        check: "advisories",
        severity: /^(?:high|critical)$/.test(severity) ? "serious" : "minor",
        title: `${titles[0]!.slice(0, 200).replace(/\.$/, "")} (${severity}).`,
        where: `package-lock.json: ${name}${range === undefined ? "" : ` ${range}`}`,
        todo: `Install a version of ${name} in which that is mended.`,
      } satisfies Found,
    ];
  });
  return { found, unchecked: [] };
}

function advisedOf(output: string): Record<string, Advised> | undefined {
  try {
    // Notices of npm's own may stand before it.
    const read: unknown = JSON.parse(output.slice(output.indexOf("{")));
    const { vulnerabilities } = read as { vulnerabilities?: Record<string, Advised> };
    return typeof vulnerabilities === "object" ? vulnerabilities : undefined;
  } catch {
    return undefined;
  }
}
