import type { Evidence } from "@treadle/protocol";
import { isAllowedHost } from "@treadle/workspace";

/** Whether the last look missed a host that may be reached by now: it would see something else. */
export function nowAllowed(evidence: Evidence | undefined, hosts: readonly string[] = []): boolean {
  return (evidence?.wanted ?? []).some(({ host, why }) => {
    const [, name = "", port = "443"] = /^(.+?)(?::(\d+))?$/.exec(host) ?? [];
    return why === "not-allowed" && isAllowedHost(name, Number(port), hosts);
  });
}
