import type { Evidence } from "@treadle/protocol";
import { plain } from "./plain.ts";

/** Hosts that are offered. */
const OFFERED = 5;

/** What the app or a page of it asked for and may not reach, with the words that allow it; undefined where nothing was. */
export function wantedNotice(evidence: Evidence | undefined): string | undefined {
  const hosts = (evidence?.wanted ?? [])
    .filter(({ why }) => why === "not-allowed")
    .slice(0, OFFERED)
    .map(({ host }) => plain(host));
  if (hosts.length === 0) return undefined;
  const way = hosts.map((host) => `--allow-host ${host}`).join(" ");
  return `It wanted ${hosts.join(", ")}: not allowed for this project. To allow ${hosts.length === 1 ? "it" : "them"}, run again with ${way}`;
}
