import type { AskedEntry, Level, PageMessage, PrintedEntry } from "./page-messages.ts";

export interface Printed extends PrintedEntry {
  id: number;
  /** How often the same was printed in a row. */
  count: number;
  /** `file:line:column` of the project; undefined: not asked yet; empty: in none of its files. */
  place?: string;
}

export interface Asked extends AskedEntry {
  id: number;
}

/** What the page that is shown printed and asked for. */
export interface PageLog {
  printed: readonly Printed[];
  asked: readonly Asked[];
  /** Lines that were not told, since they were too many at a time. */
  dropped: number;
  next: number;
  /** Lines from this one on were printed by the code that stands now. */
  since: number;
  /** Whether the page was denied the browser's storage when it asked for that. */
  isDenied: boolean;
}

/** Lines and requests that are kept: the oldest go. */
export const KEPT = 1000;

export const EMPTY: PageLog = {
  printed: [],
  asked: [],
  dropped: 0,
  next: 1,
  since: 1,
  isDenied: false,
};

/** The log after one message. A page that begins anew has printed nothing. */
export function take(log: PageLog, message: PageMessage): PageLog {
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
        printed: printed.slice(-KEPT),
        dropped: log.dropped + message.dropped,
      };
    }
    case "requests": {
      let { next } = log;
      const asked = [...log.asked, ...message.requests.map((one) => ({ ...one, id: next++ }))];
      return { ...log, next, asked: asked.slice(-KEPT) };
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

/** How many of each level there are, the repeated each time. */
export function countLevels(printed: readonly Printed[]): Record<Level, number> {
  const counts = { debug: 0, log: 0, info: 0, warn: 0, error: 0 };
  for (const { level, count } of printed) counts[level] += count;
  return counts;
}

/** Errors of the code that stands now: what it was before a change that came in by itself is told, and counts no more. */
export const countErrors = ({ printed, since }: PageLog): number =>
  countLevels(printed.filter(({ id }) => id >= since)).error;

/** Requests that were refused or not answered. */
export const isFailed = ({ status }: AskedEntry): boolean => status === 0 || status >= 400;
