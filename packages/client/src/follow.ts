import type { LogEntry } from "@treadle/protocol";
import { createParser } from "eventsource-parser";
import { TreadleError } from "./treadle-error.ts";

/** Time between two attempts to reach an absent server, in milliseconds. */
const RETRY_MS = { first: 250, most: 5_000 };

export interface FollowOptions {
  /** Number of the last known entry; absent: starts at the beginning. */
  after?: number | undefined;
  /** Ends it without an error. */
  signal?: AbortSignal | undefined;
  /** How long to wait for an absent server, in milliseconds; default 60,000. */
  patienceMs?: number | undefined;
}

/**
 * Yields a project's log after a number, and then live entries, each once and in order,
 * reconnecting when a connection breaks.
 * @throws TreadleError if the server refuses, or stays away
 */
export async function* follow(
  open: (after: number, signal: AbortSignal) => Promise<Response>,
  { after = 0, signal, patienceMs = 60_000 }: FollowOptions,
): AsyncGenerator<LogEntry, void> {
  let last = after;
  let wait = RETRY_MS.first;
  let awayAt: number | undefined;
  const leaving = new AbortController();
  const ends = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal;
  try {
    while (!ends.aborted) {
      try {
        for await (const entries of batches(await open(last, ends), ends)) {
          awayAt = undefined;
          wait = RETRY_MS.first;
          for (const entry of entries) {
            // A server with an older state starts over; entries already yielded are not repeated.
            if (entry.seq <= last) continue;
            last = entry.seq;
            yield entry;
          }
        }
      } catch (error) {
        if (ends.aborted) return;
        // The server refused: asking again changes nothing.
        if (error instanceof TreadleError && error.status >= 400 && error.status < 500) throw error;
        awayAt ??= Date.now();
        if (Date.now() - awayAt > patienceMs) throw error;
      }
      await pause(wait, ends);
      wait = Math.min(wait * 2, RETRY_MS.most);
    }
  } finally {
    leaving.abort();
  }
}

/** Yields the events of one connection until it ends. */
async function* batches({ body }: Response, signal: AbortSignal): AsyncGenerator<LogEntry[], void> {
  const ready: LogEntry[][] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === undefined) ready.push(JSON.parse(data) as LogEntry[]);
    },
  });
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  // A server in this process, used without a network, notices an abort only through this.
  const leave = () => void reader?.cancel().catch(() => undefined);
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* ready.splice(0);
    }
  } finally {
    signal.removeEventListener("abort", leave);
    leave();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}
