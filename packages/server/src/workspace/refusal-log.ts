import type { LogEvent } from "@treadle/protocol";

type Refused = Extract<LogEvent, { type: "egress-refused" }>;

/** Milliseconds after which refusals of the same host are logged again, with their number. */
const AGAIN_MS = 60_000;
/** Maximum number of different hosts logged within `FORGET_MS`. A hostile program can request any number. */
const HOSTS = 50;
const FORGET_MS = 10 * 60_000;
/** Maximum length of a name in characters. */
const HOST_LIMIT = 260;

/** Combines refusals into few events: a refused program retries at once, and often. */
export function createRefusalLog(options: { now(): number; append(event: Refused): void }): {
  refused(host: string, reason: Refused["reason"]): void;
  /** Call when allowed hosts may have changed: the next refusal of each host is logged again. */
  forget(): void;
} {
  const known = new Map<string, { toldAt: number; untold: number }>();
  return {
    refused(name, reason) {
      const host = name.slice(0, HOST_LIMIT);
      const now = options.now();
      const entry = known.get(host);
      if (entry && now - entry.toldAt < AGAIN_MS) {
        entry.untold++;
        return;
      }
      if (!entry && known.size >= HOSTS) {
        for (const [other, { toldAt }] of known) if (now - toldAt >= FORGET_MS) known.delete(other);
        if (known.size >= HOSTS) return;
      }
      known.set(host, { toldAt: now, untold: 0 });
      options.append({
        type: "egress-refused",
        host,
        reason,
        count: entry && entry.untold > 0 ? entry.untold + 1 : undefined,
      });
    },
    forget: () => known.clear(),
  };
}
