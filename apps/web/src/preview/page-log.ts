import type { AskedEntry, Level, PageMessage, PrintedEntry } from "./page-messages.ts";

export interface Printed extends PrintedEntry {
  id: number;
  /** Number of consecutive identical lines. */
  count: number;
  /** `file:line:column` in the project; undefined before it was looked up; empty if it is not in a project file. */
  place?: string;
}

export interface Asked extends AskedEntry {
  id: number;
}

/** The console output and requests of the current page. */
export interface PageLog {
  printed: readonly Printed[];
  asked: readonly Asked[];
  /** Number of lines that the probe dropped because there were too many at once. */
  dropped: number;
  next: number;
  /** Entries with this `id` or a higher one come from the current code; lower ones are from before a hot update. */
  since: number;
  /** Whether the browser denied the page its storage. */
  isDenied: boolean;
}

/** Number of lines and of requests retained; the oldest are dropped. */
export const MAX_ENTRIES = 1000;

export const EMPTY: PageLog = {
  printed: [],
  asked: [],
  dropped: 0,
  next: 1,
  since: 1,
  isDenied: false,
};

/** Returns the log after one message. A page load empties it. */
export function appendMessage(log: PageLog, message: PageMessage): PageLog {
  switch (message.type) {
    case "begin":
      return { ...EMPTY, next: log.next, since: log.next };
    case "denied":
      return log.isDenied ? log : { ...log, isDenied: true };
    case "updated":
      return { ...log, since: log.next };
    case "console": {
      const printed = [...log.printed];
      let { next } = log;
      for (const entry of message.entries) {
        const last = printed.at(-1);
        const isRepeated = last && last.level === entry.level && last.text === entry.text;
        if (isRepeated && last.id >= log.since)
          printed[printed.length - 1] = { ...last, count: last.count + 1, at: entry.at };
        else printed.push({ ...entry, id: next++, count: 1 });
      }
      return {
        ...log,
        next,
        printed: printed.slice(-MAX_ENTRIES),
        dropped: log.dropped + message.dropped,
      };
    }
    case "requests": {
      let { next } = log;
      const asked = [...log.asked, ...message.requests.map((one) => ({ ...one, id: next++ }))];
      return { ...log, next, asked: asked.slice(-MAX_ENTRIES) };
    }
    case "placed":
      return {
        ...log,
        printed: log.printed.map((one) =>
          one.id === message.id ? { ...one, place: message.at ?? "" } : one,
        ),
      };
  }
}

/** Number of lines per level, counting repetitions. */
export function countLevels(printed: readonly Printed[]): Record<Level, number> {
  const counts = { debug: 0, log: 0, info: 0, warn: 0, error: 0 };
  for (const { level, count } of printed) counts[level] += count;
  return counts;
}

/** Number of errors of the current code. Errors from before a hot update are still listed but not counted. */
export const countErrors = ({ printed, since }: PageLog): number =>
  countLevels(printed.filter(({ id }) => id >= since)).error;

/** Whether a request was refused or not answered. */
export const isFailed = ({ status }: AskedEntry): boolean => status === 0 || status >= 400;
