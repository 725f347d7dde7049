/** One disk sync per group instead of one per token; 20 ms is too short for people to notice. */
const GROUP_MS = 20;
/**
 * Maximum items of one group, so that a backlog does not block the thread in one long transaction.
 */
const GROUP_ITEMS = 1_000;
/** Milliseconds after a failure (such as a full disk) until an automatic retry. */
const RETRY_MS = 1_000;
/** Maximum bytes waiting in memory while the disk fails; more is refused. */
export const PENDING_BYTES = 64 * 1024 * 1024;
/**
 * Beyond that limit, events other than pieces of long texts are still accepted: how something ended
 * must not be lost.
 */
export const RESERVE_BYTES = 16 * 1024 * 1024;

/**
 * The pause from a group's end to the start of the next. Items added during a commit wait for the
 * whole next group, so the pause makes group starts `GROUP_MS` apart; a fixed pause after each end
 * would make them wait for two commits and the pause.
 */
function restAfter(took: number): number {
  // A commit blocks the thread: on a slow disk the rest of the program gets the thread for as long
  // again, up to one group's time.
  return Math.max(GROUP_MS - took, Math.min(took, GROUP_MS));
}

export interface GroupCommit<T> {
  /**
   * Queues one item. Returns false if too much is waiting already: the item was refused.
   * @param kind `fact`: such items may use the reserve; default: `piece`
   */
  add(item: T, bytes: number, kind?: "fact" | "piece"): boolean;
  /**
   * Resolves when everything added so far is committed; rejects with the reason when an attempt
   * fails.
   */
  settled(): Promise<void>;
  /** Makes one last attempt to commit; nothing is committed after it. */
  close(): Promise<void>;
}

export interface GroupCommitOptions<T> {
  /**
   * Commits a group, all or nothing. Called one at a time, in order.
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
    // A group that failed may have been committed after all, so it is retried under its number.
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
        // A caller waits, so the items are committed now instead of at the end of the group's time.
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
