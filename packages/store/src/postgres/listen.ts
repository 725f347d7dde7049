import type { Pool } from "pg";
import type { Call, Doorbell } from "../engine.ts";
import { connectionOptions, TextClient } from "./connection-options.ts";

/** The channel of PostgreSQL's NOTIFY. Other programs that use the database see it, too. */
const CHANNEL = "treadle";
/** Pause before a broken connection is replaced, in milliseconds: the first one, and the longest. */
const RETRY_MS = { first: 100, most: 5_000 };
/** How often `onMissed` is called, in milliseconds: a process may end between its commit and its call. */
const LOOK_MS = 5_000;
/** Maximum bytes of a payload; PostgreSQL accepts less than 8,000. */
const MOST_BYTES = 7_900;

/**
 * The doorbell of a PostgreSQL database: NOTIFY on any connection, LISTEN on a separate one. While that one is
 * broken, no call arrives; once it is back, every listener's `onMissed` is called.
 */
export function openDoorbell(pool: Pool, database: string): Doorbell & { close(): Promise<void> } {
  const listeners: { onCall(call: Call): void; onMissed(): void }[] = [];
  let client: TextClient | undefined;
  let retry: NodeJS.Timeout | undefined;
  let wait = RETRY_MS.first;
  let isClosed = false;
  let isListening = false;
  const missed = () => {
    for (const { onMissed } of listeners) onMissed();
  };

  async function connect(): Promise<void> {
    const next = new TextClient(connectionOptions(database));
    client = next;
    next.on("error", () => lost(next));
    next.on("end", () => lost(next));
    next.on("notification", ({ payload }) => {
      const call = readCall(payload);
      if (call) for (const { onCall } of listeners) onCall(call);
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
    } catch {
      lost(next);
      return;
    }
    if (client !== next) return;
    wait = RETRY_MS.first;
    isListening = true;
    missed();
  }

  function lost(broken: TextClient): void {
    if (client !== broken) return;
    client = undefined;
    isListening = false;
    broken.end().catch(() => undefined);
    if (isClosed) return;
    retry = setTimeout(() => void connect(), wait).unref();
    wait = Math.min(2 * wait, RETRY_MS.most);
  }

  let connecting: Promise<void> | undefined;
  const look = setInterval(missed, LOOK_MS).unref();
  return {
    isShared: true,
    isListening: () => isListening,
    listen(onCall, onMissed) {
      listeners.push({ onCall, onMissed });
      connecting ??= connect();
    },
    ring(calls) {
      const payloads = calls
        .map((call) => JSON.stringify(call))
        .filter((text) => Buffer.byteLength(text) < MOST_BYTES);
      // Sent outside of the transaction with the change: a transaction that notifies delays every other one that does
      // until it is on the disk. If it fails, the other processes find the change by `onMissed`.
      pool
        .query("select pg_notify($1, payload) from unnest($2::text[]) as payload", [
          CHANNEL,
          payloads,
        ])
        .catch(() => undefined);
    },
    async close() {
      isClosed = true;
      clearInterval(look);
      clearTimeout(retry);
      await connecting;
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}

function readCall(payload: string | undefined): Call | undefined {
  try {
    return JSON.parse(payload ?? "") as Call;
  } catch {
    // A notification of another program on the same channel.
    return undefined;
  }
}
