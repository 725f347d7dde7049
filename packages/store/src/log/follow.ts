import type { LogEntry } from "@treadle/protocol";

/** The state of a project's log that its followers share. */
export interface Followed {
  /** Number of the newest durable entry: nothing later is shown. */
  committed: number;
  /** The newest durable entries, without gaps up to `committed`; may be empty. */
  tail: LogEntry[];
  /** Called when `committed` has grown, or with `end` when no more entries will come. */
  wake: Set<(end?: "end") => void>;
}

/** A batch of entries read from a log. */
export interface Page {
  entries: LogEntry[];
  /**
   * Number of the newest durable entry when the reading began: all existing entries up to it are
   * included.
   */
  committed: number;
}

/**
 * Passes every entry after `after` to the listener, in order and once: first the stored ones, then live ones. The next
 * batch is read only when the listener has finished with the last, so a slow listener costs no memory and delays nobody.
 * A listener that throws or rejects is not called again.
 */
export function follow(
  log: Followed,
  readPage: (after: number) => Promise<Page>,
  after: number,
  listener: (entries: LogEntry[]) => void | Promise<void>,
): () => void {
  let position = after;
  let ended = false;
  let waiting: (() => void) | undefined;

  const wake = (end?: "end") => {
    if (end) ended = true;
    waiting?.();
    waiting = undefined;
  };
  const stop = () => {
    log.wake.delete(wake);
    wake("end");
  };

  async function next(): Promise<LogEntry[]> {
    const first = log.tail[0];
    if (first && first.seq <= position + 1) return log.tail.slice(position + 1 - first.seq);
    const { entries, committed } = await readPage(position);
    // No entries are left below `committed`: compaction removed them, and the entry that replaced them was already
    // passed on.
    if (entries.length === 0) position = Math.max(position, committed);
    return entries;
  }

  async function run(): Promise<void> {
    while (!ended) {
      if (position >= log.committed) {
        await new Promise<void>((resolve) => (waiting = resolve));
        continue;
      }
      const entries = await next();
      const last = entries.at(-1);
      if (ended || !last) continue;
      position = last.seq;
      await listener(entries);
    }
  }

  log.wake.add(wake);
  run().then(stop, stop);
  return stop;
}
