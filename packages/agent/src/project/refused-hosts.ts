import type { Workspace } from "@treadle/workspace";
import { prose } from "../text/prose.ts";

/** Maximum number of hosts that are named. */
const NAMED = 10;

const NOTE = prose(new URL("./refused-hosts.md", import.meta.url));
const PACKAGES_NOTE = prose(new URL("./refused-packages.md", import.meta.url));

/**
 * The note to the model about hosts, and packages, that were refused while it did something; empty if
 * there were none.
 */
export function refusedNote(
  hosts: Iterable<string> | undefined,
  packages?: Iterable<string>,
): string {
  const list = (names: Iterable<string> = []) => [...names].slice(0, NAMED).join(", ");
  const [hostNames, packageNames] = [list(hosts), list(packages)];
  return [
    hostNames && `\n${NOTE.replace("{hosts}", () => hostNames)}`,
    packageNames && `\n${PACKAGES_NOTE.replace("{packages}", () => packageNames)}`,
  ].join("");
}

/**
 * Collects the hosts to which processes in the sandbox are refused access, or that they may reach but cannot, and the
 * packages that they may not install, while `work` runs.
 */
export async function watchRefused<T>(
  workspace: Workspace,
  work: (
    refused: ReadonlySet<string>,
    unreached: ReadonlySet<string>,
    packages: ReadonlySet<string>,
  ) => Promise<T>,
): Promise<T> {
  const refused = new Set<string>();
  const unreached = new Set<string>();
  const packages = new Set<string>();
  const unlisten = workspace.listen((notice) => {
    if (notice.type === "package-refused" && packages.size < NAMED) packages.add(notice.name);
    if (notice.type !== "egress-refused") return;
    const hosts = notice.reason === "unreached" ? unreached : refused;
    if (hosts.size < NAMED) hosts.add(notice.host);
  });
  try {
    return await work(refused, unreached, packages);
  } finally {
    unlisten();
  }
}
