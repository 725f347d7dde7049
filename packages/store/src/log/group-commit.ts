/** Durability costs a disk sync a group, not one a token; 20 ms is below what a person notices. */
const GROUP_MS = 20;
/** One group's size at most, so that a backlog does not hold the thread in one long transaction. */
const GROUP_ITEMS = 1_000;
/** After a failure (a full disk), until it is tried again without being asked. */
const RETRY_MS = 1_000;
/** What may wait in memory while the disk refuses; more is not taken. */
export const PENDING_BYTES = 64 * 1024 * 1024;
/** Beyond that, what is no piece of a long text is still taken: how something ended must not be lost for its length. */
export const RESERVE_BYTES = 16 * 1024 * 1024;

/**
 * From a group's end to the next one's beginning. What comes while a group is committed waits for all of the next one, so
 * that beginnings are `GROUP_MS` apart: counted from the end, it would wait for two commits and the time between them.
 */
function restAfter(took: number): number {
  // A commit holds the thread: on a slow disk the rest of the program has it for as long again, up to a group's time.
  return Math.max(GROUP_MS - took, Math.min(took, GROUP_MS));
}

export interface GroupCommit<T> {
  /**
   * Queues one item. False when too much is waiting already: the item was not taken.
   * @param kind `fact`: the reserve is for such items; default: `piece`
   */
  add(item: T, bytes: number, kind?: "fact" | "piece"): boolean;
  /** Resolves when all that was added is committed; rejects with the reason when an attempt fails. */
  settled(): Promise<void>;
  /** One last attempt at what is pending; nothing is committed after it. */
  close(): Promise<void>;
}

export interface GroupCommitOptions<T> {
  /**
   * Keeps a group, all or nothing. Called one at a time, in order.
   * @param group counts up from 1; a group that failed is tried again unchanged, under the same number
   */
  commit(items: T[], group: number): Promise<void>;
  onFailure(error: unknown): void;
  pendingBytes?: number;
}

/** Collects items and commits them in order, in groups. A group that fails stays first in line. */
export function createGroupCommit<T>(options: GroupCommitOptions<T>): GroupCommit<T> {
  const limit = options.pendingBytes ?? PENDING_BYTES;
  let pending: { item: T; bytes: number }[] = [];
  let pendingBytes = 0;
  let added = 0;
  let committed = 0;
  let waiters: { upTo: number; resolve(): void; reject(error: unknown): void }[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let going: Promise<void> | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;
  let closed = false;
  let groups = 0;
  /** Items of the group that is being committed or has failed; 0 if there is none. */
  let groupSize = 0;

  const schedule = (ms: number) => {
    if (timer !== undefined || going !== undefined || closed) return;
    timer = setTimeout(() => {
      timer = undefined;
      void flush();
    }, ms);
  };

  async function flush(): Promise<void> {
    if (going) return going;
    if (pending.length === 0) return;
    const began = performance.now();
    going = commitOne();
    let failed = true;
    try {
      await going;
      failed = false;
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
      waiters = [];
      options.onFailure(error);
    }
    going = undefined;
    const ended = performance.now();
    const rest = restAfter(ended - began);
    notBefore = ended + rest;
    waiters = waiters.filter((waiter) => {
      if (waiter.upTo > committed) return true;
      waiter.resolve();
      return false;
    });
    if (pending.length > 0) schedule(failed ? RETRY_MS : waiters.length > 0 ? 0 : rest);
  }

  async function commitOne(): Promise<void> {
    // One that failed may have been kept after all: it must be recognisable.
    if (groupSize === 0) {
      groupSize = Math.min(pending.length, GROUP_ITEMS);
      groups++;
    }
    const group = pending.slice(0, groupSize);
    await options.commit(
      group.map(({ item }) => item),
      groups,
    );
    pending = pending.slice(groupSize);
    groupSize = 0;
    for (const { bytes } of group) pendingBytes -= bytes;
    committed += group.length;
  }

  return {
    add(item, bytes, kind) {
      const room = kind === "fact" ? limit + RESERVE_BYTES : limit;
      if (closed || pendingBytes + bytes > room) return false;
      pending.push({ item, bytes });
      pendingBytes += bytes;
      added++;
      schedule(Math.max(0, notBefore - performance.now()));
      return true;
    },
    settled() {
      if (committed === added) return Promise.resolve();
      return new Promise((resolve, reject) => {
        waiters.push({ upTo: added, resolve, reject });
        // Somebody waits for it: now, not at the end of the group's time.
        clearTimeout(timer);
        timer = undefined;
        schedule(0);
      });
    },
    async close() {
      clearTimeout(timer);
      timer = undefined;
      closed = true;
      await going?.catch(() => undefined);
      const left = waiters;
      try {
        while (pending.length > 0) await commitOne();
        for (const waiter of left) waiter.resolve();
      } catch (error) {
        for (const waiter of left) waiter.reject(error);
        throw error;
      }
    },
  };
}
