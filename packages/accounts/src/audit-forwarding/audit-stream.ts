import { createLifecycle, type Step } from "@treadle/protocol/lifecycle";
import type { AuditEntry } from "@treadle/protocol";

/** Maximum number of entries that are read and sent together. */
const BATCH = 100;
/** The pauses after failures, in milliseconds; the last one is repeated without end. */
const PAUSES_MS = [5_000, 30_000, 120_000, 300_000] as const;

export type StreamPhase =
  /** Everything was sent. */
  | "idle"
  | "sending"
  /** Sending, and something was added meanwhile. */
  | "sending-more"
  /** Waits for the next attempt. */
  | "pausing"
  | "closed";

export type StreamEvent =
  /** The log may have entries that were not sent. */
  | "added"
  | "sent"
  | "failed"
  /** The pause is over. */
  | "due"
  | "close";

/** What has to be done. `send` results in `sent` or `failed`, and `pause` in `due`. */
export type StreamEffect = "send" | "pause" | "abort";

const TABLE: {
  readonly [Phase in StreamPhase]: {
    readonly [Event in StreamEvent]?: readonly [StreamPhase, ...StreamEffect[]];
  };
} = {
  idle: { added: ["sending", "send"], close: ["closed"] },
  sending: {
    added: ["sending-more"],
    sent: ["idle"],
    failed: ["pausing", "pause"],
    close: ["closed", "abort"],
  },
  "sending-more": {
    sent: ["sending", "send"],
    failed: ["pausing", "pause"],
    close: ["closed", "abort"],
  },
  pausing: { due: ["sending", "send"], close: ["closed", "abort"] },
  closed: {},
};

export function streamTransition(
  phase: StreamPhase,
  event: StreamEvent,
): Step<StreamPhase, StreamEffect> {
  const [state, ...effects] = TABLE[phase][event] ?? [phase];
  return { state, effects };
}

/** Times the pauses; tests replace it. */
export interface StreamClock {
  /** Resolves after a time. @param ms milliseconds; rejects if the signal is aborted before */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Forwards the audit log to one target, in order and in the background. Each entry is sent again until it has
 * arrived.
 */
export interface AuditStream {
  /** Call after entries were added. Never blocks. */
  added(): void;
  close(): void;
}

export function createAuditStream(parts: {
  clock: StreamClock;
  /** Reads entries that were not sent yet, oldest first. */
  read(limit: number): Promise<AuditEntry[]>;
  /** Sends entries. Rejects unless it is certain that all of them have arrived. */
  send(entries: readonly AuditEntry[], signal: AbortSignal): Promise<void>;
  /** Records that everything up to this entry has arrived. */
  save(last: AuditEntry): Promise<void>;
  /** Called after each attempt; `failure` is undefined if it succeeded. */
  onResult(failure: Error | undefined): void;
}): AuditStream {
  const stopping = new AbortController();
  const { signal } = stopping;
  let failures = 0;

  async function send(): Promise<StreamEvent> {
    try {
      for (;;) {
        const entries = await parts.read(BATCH);
        const last = entries.at(-1);
        if (!last) break;
        await parts.send(entries, signal);
        await parts.save(last);
        failures = 0;
        parts.onResult(undefined);
      }
      return "sent";
    } catch (error) {
      if (signal.aborted) return "close";
      failures++;
      parts.onResult(error as Error);
      return "failed";
    }
  }
  const lifecycle = createLifecycle("idle" as StreamPhase, streamTransition, (effect) => {
    if (effect === "send") void send().then((event) => lifecycle.send(event));
    else if (effect === "abort") stopping.abort();
    else {
      const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1]!;
      parts.clock.sleep(pause, signal).then(
        () => lifecycle.send("due"),
        () => undefined,
      );
    }
  });
  return {
    added: () => lifecycle.send("added"),
    close: () => lifecycle.send("close"),
  };
}
