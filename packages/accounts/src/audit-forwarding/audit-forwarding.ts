import { createHmac } from "node:crypto";
import type { AuditEntry, AuditForwarding, AuditTargets } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import type { AuditLog } from "../people/audit.ts";
import { createAuditStream, type AuditStream, type StreamClock } from "./audit-stream.ts";
import { sendSyslog } from "./send-syslog.ts";

const TARGETS = "audit-targets";
const SECRET = "secret:audit-webhook";
const cursorOf = (kind: keyof AuditTargets) => `audit-sent:${kind}`;
/** Time limit for posting one entry, in milliseconds. */
const POST_MS = 30_000;

/** Forwards the audit log to a webhook, a syslog server or both, as an administrator has set. */
export interface AuditForwarder {
  read(): Promise<AuditForwarding>;
  /**
   * Sets where entries are sent from now on; an absent target is turned off.
   * @param secret signs the webhook's requests; undefined keeps the former one
   */
  set(targets: AuditTargets, secret?: string): Promise<void>;
  close(): void;
}

/**
 * Creates the forwarder, which starts to send as soon as the settings are read.
 * @param parts.onNotice called if the settings cannot be read
 */
export function createAuditForwarder(parts: {
  audit: AuditLog;
  store: Pick<Store, "settings">;
  clock: StreamClock & { now(): number };
  onNotice(text: string): void;
}): AuditForwarder {
  const { audit, clock } = parts;
  const { settings } = parts.store;
  const streams = new Map<keyof AuditTargets, AuditStream>();
  const last: AuditForwarding["last"] = {};
  let targets: AuditTargets = {};
  let isClosed = false;

  async function post(entries: readonly AuditEntry[], signal: AbortSignal): Promise<void> {
    const secret = await settings.get<string>(SECRET);
    for (const entry of entries) {
      const body = JSON.stringify(entry);
      const signature = secret && createHmac("sha256", secret).update(body).digest("hex");
      const response = await fetch(targets.webhook!.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "Treadle",
          // The same id in each attempt, so that a receiver can drop entries that it already has.
          "x-treadle-delivery": entry.id,
          ...(signature ? { "x-treadle-signature": `sha256=${signature}` } : {}),
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(POST_MS)]),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
    }
  }

  function start(): void {
    for (const stream of streams.values()) stream.close();
    streams.clear();
    const { syslog } = targets;
    if (targets.webhook) open("webhook", post);
    if (syslog) open("syslog", (entries, signal) => sendSyslog(syslog, entries, signal));
    function open(
      kind: keyof AuditTargets,
      send: (entries: readonly AuditEntry[], signal: AbortSignal) => Promise<void>,
    ) {
      const stream = createAuditStream({
        clock,
        send,
        read: async (limit) => audit.readAfter((await settings.get<string>(cursorOf(kind))) ?? "", limit), // prettier-ignore
        save: ({ id }) => settings.set(cursorOf(kind), id),
        onResult(failure) {
          last[kind] = {
            at: clock.now(),
            ...(failure ? { failure: reasonOf(failure) } : {}),
          };
        },
      });
      streams.set(kind, stream);
      // Sends what was added while the server was stopped.
      stream.added();
    }
  }
  const ready = settings.get<AuditTargets>(TARGETS).then(
    (stored = {}) => {
      targets = stored;
      if (!isClosed) start();
    },
    (error: Error) => parts.onNotice(error.message),
  );
  const unlisten = audit.onAppend(() => {
    for (const stream of streams.values()) stream.added();
  });

  return {
    async read() {
      await ready;
      const isSigned = (await settings.get(SECRET)) !== undefined;
      return { ...targets, isSigned, last: { ...last } };
    },
    async set(next, secret) {
      await ready;
      const newest = (await audit.read({ limit: 1 }))[0]?.id ?? "";
      for (const kind of ["webhook", "syslog"] as const) {
        // A new target only receives entries from now on.
        if (next[kind] && !targets[kind]) await settings.set(cursorOf(kind), newest);
        if (!next[kind]) {
          await settings.remove(cursorOf(kind));
          delete last[kind];
        }
      }
      if (secret !== undefined) await settings.set(SECRET, secret);
      if (!next.webhook) await settings.remove(SECRET);
      await settings.set(TARGETS, next);
      targets = next;
      start();
    },
    close() {
      isClosed = true;
      unlisten();
      for (const stream of streams.values()) stream.close();
    },
  };
}

/** The system's error code (such as `ECONNREFUSED`) if there is one, otherwise the message. */
function reasonOf(error: Error): string {
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
  return typeof code === "string" ? code : error.message;
}
