import type { Evidence } from "@treadle/protocol";
import { isAllowedHost } from "@treadle/egress/allowed-host";

/**
 * Hosts that the last look could not reach because they were not allowed, and that are allowed by now, so that
 * another look would differ.
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
