import type { Pool } from "pg";
import type { Call, Doorbell } from "../engine.ts";
import { connectionOptions, TextClient } from "./connection-options.ts";

/** Of PostgreSQL's NOTIFY; names of channels are the whole database's. */
const CHANNEL = "treadle";
/** Until a broken connection is made anew: the first time, and at most. */
const RETRY_MS = { first: 100, most: 5_000 };
/** Calls may be lost without a sign, as when a process ends between its commit and its call. */
const LOOK_MS = 5_000;
/** Bytes of a payload; PostgreSQL takes less than 8,000. */
const MOST_BYTES = 7_900;

/**
 * The doorbell of a PostgreSQL database: NOTIFY on any connection, LISTEN on one of its own. While that one is broken
 * nothing is heard; once it is back, everybody is told that calls may have been missed.
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
      // Apart from what it tells of: a transaction that notifies holds up every other one that does, until it is on
      // the disk. Where it fails, the others look by themselves.
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
    // Somebody else's, on the same channel.
    return undefined;
  }
}
