import type { LogEntry } from "@treadle/protocol";

/** Number of unsent bytes at which the log waits for a slow client (F19). */
const WAITING_BYTES = 256 * 1024;
/**
 * Interval of heartbeats, in milliseconds: shorter than the minute after which proxies close a silent connection.
 */
const HEARTBEAT_MS = 15_000;

/**
 * A project's log as server-sent events: one event per batch, with a JSON array of entries as its
 * data and the last number as its id. `reset` comes first if the client knows more entries than
 * exist (another data folder), so that it starts over; `latest` if it should show the newest
 * entries first.
 */
export function eventStream(
  follow: (listener: (entries: LogEntry[]) => Promise<void> | void) => () => void,
  options: {
    reset: boolean;
    latest?: LogEntry[] | undefined;
    onClose?: (close: () => void) => () => void;
  },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = () => {};
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let forget = () => {};
  let drained: (() => void) | undefined;
  const end = () => {
    stop();
    forget();
    clearInterval(heartbeat);
    drained?.();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string) => controller.enqueue(encoder.encode(text));
        // Sent at once, so that the client knows that it is connected.
        send(`retry: 1000\n\n${options.reset ? "event: reset\ndata: {}\n\n" : ""}`);
        if (options.latest) send(`event: latest\ndata: ${JSON.stringify(options.latest)}\n\n`);
        stop = follow(async (entries) => {
          send(`id: ${entries.at(-1)?.seq}\ndata: ${JSON.stringify(entries)}\n\n`);
          if ((controller.desiredSize ?? 0) > 0) return;
          await new Promise<void>((resolve) => (drained = resolve));
        });
        heartbeat = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) send(":\n\n");
        }, HEARTBEAT_MS);
        forget =
          options.onClose?.(() => {
            end();
            controller.close();
          }) ?? forget;
      },
      pull() {
        drained?.();
        drained = undefined;
      },
      cancel: end,
    },
    { highWaterMark: WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
