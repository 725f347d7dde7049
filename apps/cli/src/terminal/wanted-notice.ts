import type { Evidence } from "@treadle/protocol";
import { plain } from "./plain.ts";

/** Maximum number of offered hosts. */
const OFFERED = 5;

/**
 * Names the hosts that the app or one of its pages requested and may not reach, with the command
 * that allows them; undefined if there are none.
 */
export function wantedNotice(evidence: Evidence | undefined): string | undefined {
  const hosts = (evidence?.wanted ?? [])
    .filter(({ why }) => why === "not-allowed")
    .slice(0, OFFERED)
    .map(({ host }) => plain(host));
  if (hosts.length === 0) return undefined;
  const way = hosts.map((host) => `--allow-host ${host}`).join(" ");
  return `It wanted ${hosts.join(", ")}: not allowed for this project. To allow ${hosts.length === 1 ? "it" : "them"}, run again with ${way}`;
}
