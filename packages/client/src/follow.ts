import type { LogEntry } from "@treadle/protocol";
import { createParser } from "eventsource-parser";
import { TreadleError } from "./treadle-error.ts";

/** Between two tries to reach a server that went away, in milliseconds. */
const RETRY_MS = { first: 250, most: 5_000 };

export interface FollowOptions {
  /** Number of the last entry that is known; absent: from the beginning. */
  after?: number | undefined;
  /** Ends it without an error. */
  signal?: AbortSignal | undefined;
  /** How long a server that went away is waited for, in milliseconds; default 60,000. */
  patienceMs?: number | undefined;
}

/**
 * A project's log from a number on, and then live, each entry once and in order, over every connection that breaks
 * meanwhile.
 * @throws TreadleError where the server refuses, or stays away
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
            // A server that knows less than this reader starts over; what was told is not told again.
            if (entry.seq <= last) continue;
            last = entry.seq;
            yield entry;
          }
        }
      } catch (error) {
        if (ends.aborted) return;
        // It said no: asking again changes nothing.
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

/** What one connection brings, event by event, until it is left. */
async function* batches({ body }: Response, signal: AbortSignal): AsyncGenerator<LogEntry[], void> {
  const ready: LogEntry[][] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === undefined) ready.push(JSON.parse(data) as LogEntry[]);
    },
  });
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  // A server in this process, asked without a network, hears of an abort by this alone.
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
