import type { Evidence } from "@treadle/protocol";
import { isAllowedHost } from "@treadle/egress/allowed-host";

/**
 * Hosts that the last look missed and that are reachable by now, so that another look would differ.
 */
export function nowAllowed(
  evidence: Evidence | undefined,
  hosts: readonly string[] = [],
): string[] {
  return (evidence?.wanted ?? []).flatMap(({ host, why }) => {
    const [, name = "", port = "443"] = /^(.+?)(?::(\d+))?$/.exec(host) ?? [];
    return why === "not-allowed" && isAllowedHost(name, Number(port), hosts) ? [host] : [];
  });
}
