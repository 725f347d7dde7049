import type { Workspace } from "@treadle/workspace";
import { prose } from "../text/prose.ts";

/** Maximum number of hosts that are named. */
const NAMED = 10;

const NOTE = prose(new URL("./refused-hosts.md", import.meta.url));

/**
 * The note to the model about hosts that were refused while it did something; empty if there were
 * none.
 */
export function refusedNote(hosts: Iterable<string> | undefined): string {
  const names = [...(hosts ?? [])].slice(0, NAMED);
  return names.length > 0 ? `\n${NOTE.replace("{hosts}", () => names.join(", "))}` : "";
}

/**
 * Collects the hosts to which processes in the sandbox are refused access, or that they may reach but cannot, while
 * `work` runs.
 */
export async function watchRefused<T>(
  workspace: Workspace,
  work: (refused: ReadonlySet<string>, unreached: ReadonlySet<string>) => Promise<T>,
): Promise<T> {
  const refused = new Set<string>();
  const unreached = new Set<string>();
  const unlisten = workspace.listen((notice) => {
    if (notice.type !== "egress-refused") return;
    const hosts = notice.reason === "unreached" ? unreached : refused;
    if (hosts.size < NAMED) hosts.add(notice.host);
  });
  try {
    return await work(refused, unreached);
  } finally {
    unlisten();
  }
}
