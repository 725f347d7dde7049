import type { LogEntry, LogEvent } from "@treadle/protocol";
import type { RunningTreadle } from "./treadle.ts";

/** How long to wait for a run on a busy machine, in milliseconds. */
export const LATE = 180_000;

/** Sends messages to a project through the API, and reads its log until an expected entry. */
export function talkTo(treadle: () => RunningTreadle, project: () => string) {
  const api = (path: string, init?: RequestInit) => treadle().api(`/api/projects/${project()}${path}`, init); // prettier-ignore

  /** Reads the entries numbered above `after`, up to the first one that satisfies `until`; rejects after `LATE`. */
  async function read(after: number, until: (event: LogEvent) => boolean): Promise<LogEntry[]> {
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), LATE);
    const answer = await api(`/events?after=${after}`, { signal: stop.signal });
    const entries: LogEntry[] = [];
    let buffer = "";
    try {
      for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
        buffer += piece;
        const blocks = buffer.split("\n\n");
        buffer = blocks.pop() ?? "";
        for (const block of blocks)
          entries.push(...(JSON.parse(/^data: (\[.*)$/m.exec(block)?.[1] ?? "[]") as LogEntry[]));
        if (entries.some(({ event }) => until(event))) return entries;
      }
      throw new Error("The log ended before it came.");
    } finally {
      clearTimeout(late);
      stop.abort();
    }
  }

  const send = async (text: string) => {
    const sent = await api("/messages", { method: "POST", body: JSON.stringify({ text }) });
    return (await sent.json()) as { message: string; run: string; after: number };
  };
  const ends = (run: string) => (event: LogEvent) => event.type === "run-end" && event.run === run;

  /** Sends a message, and waits for its run to end. */
  async function sendAndWait(text: string) {
    const { run, after } = await send(text);
    const entries = await read(after, ends(run));
    const events = entries.map(({ event }) => event);
    const eventsOf = <T extends LogEvent["type"]>(type: T) =>
      events.filter((event): event is Extract<LogEvent, { type: T }> => event.type === type);
    return { entries, eventsOf, end: eventsOf("run-end").find((event) => event.run === run)! };
  }

  return { api, read, send, ends, sendAndWait };
}
