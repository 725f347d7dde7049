import { statfsSync } from "node:fs";
import { diskFullWords, diskHit, type LimitHit } from "./limit-words.ts";
import type { ResourceLimits } from "./limits.ts";
import { measureFolders, measureUnnamed } from "./measure-disk.ts";

/** How often the file system is asked what is free, which costs nothing. */
const EVERY_MS = 250;
/** A project is measured soon after it is opened, yet not while it starts. */
const FIRST_MS = 2_000;
/** Measuring takes its time where there are many files: this many times as long it is left alone afterwards. */
const REST = 4;
const LONGEST_REST_MS = 10_000;
/** Bytes that a project over its limit may still grow by, a quarter of the limit at most: removing files takes some, too. */
const SLACK = 64 * 1024 * 1024;
/** What somebody else's removing hides is found by this, where anything changed at all. */
const ANYWAY_MS = 5_000;
/** No more can be hidden than a fast disk writes meanwhile, so a project that is far below its limit is left alone longer. */
const FAST_BYTES_PER_MS = 512 * 1024;
const LONGEST_ANYWAY_MS = 20_000;
/** Nothing changed, and still: what is free may have been the same by chance. */
const QUIET_ANYWAY_MS = 60_000;

export interface DiskUser {
  /** Where all of it lies: absolute, on this machine. */
  folders: readonly string[];
  limits: ResourceLimits;
  pids(): readonly number[];
  /** Called when the limit is exceeded, after which everything in the sandbox must be killed. */
  onOver(hit: LimitHit): void;
}

/** A project that is watched. */
export interface WatchedDisk {
  /** Why nothing may be written, a sentence; undefined while there is room. */
  full(): string | undefined;
  /** Bytes, as they were measured last; undefined before that. */
  used(): number | undefined;
  close(): void;
}

/**
 * Keeps projects within their part of the disk. File systems that can do it themselves are rare, so it is measured:
 * whenever as much was written to the file system as a project could have needed to get over its limit.
 */
export function createDiskWatch(
  measure: typeof measureFolders = measureFolders,
  freeOf: (folder: string) => Free | undefined = freeOnDisk,
): (user: DiskUser) => WatchedDisk {
  /** What is known of a project outlives its sandbox, which ends when it is over its limit. */
  const known = new Map<string, { used: number; most: number }>();

  return (user) => {
    const { folders, limits } = user;
    const key = folders[0]!;
    let lastFree: Free | undefined;
    /** Since it was measured, by whomever. What others remove meanwhile gives nothing back here. */
    let written: Free = { bytes: 0, entries: 0 };
    let changed = false;
    let measuredAt = performance.now();
    let notBefore = measuredAt + FIRST_MS;
    let measuring = false;
    let closed = false;

    async function look(): Promise<void> {
      const now = performance.now();
      if (closed) return;
      count(freeOf(key));
      if (measuring || now < notBefore || !lastFree) return;
      const before = known.get(key);
      const could = before
        ? before.used + Math.max(written.bytes, written.entries * ENTRY_BYTES)
        : Infinity;
      const sinceMs = now - measuredAt;
      const anywayMs = changed
        ? changedAnywayMs(limits.disk - (before?.used ?? 0))
        : QUIET_ANYWAY_MS;
      if (could <= limits.disk && sinceMs < anywayMs) return;
      measuring = true;
      written = { bytes: 0, entries: 0 };
      changed = false;
      const named = await measure(folders).catch(() => 0);
      measuring = false;
      if (closed) return;
      const used = named + measureUnnamed(user.pids(), key);
      measuredAt = performance.now();
      notBefore = measuredAt + Math.min(REST * (measuredAt - now), LONGEST_REST_MS);
      // What is over its limit when it is first seen stays: it must be possible to remove something.
      const slack = Math.min(SLACK, limits.disk / 4);
      const most = before?.most ?? Math.max(limits.disk, used + slack);
      const isOver = used > most;
      known.set(key, {
        used,
        most: used <= limits.disk ? limits.disk : isOver ? used + slack : most,
      });
      if (isOver) user.onOver(diskHit(limits, used));
    }

    function count(free: Free | undefined): void {
      if (free && lastFree) {
        written.bytes += Math.max(0, lastFree.bytes - free.bytes);
        written.entries += Math.max(0, lastFree.entries - free.entries);
        changed ||= free.bytes !== lastFree.bytes || free.entries !== lastFree.entries;
      }
      lastFree = free ?? lastFree;
    }

    const timer = setInterval(() => void look(), EVERY_MS).unref();
    return {
      full() {
        const used = known.get(key)?.used ?? 0;
        return used > limits.disk ? diskFullWords(limits, used) : undefined;
      },
      used: () => known.get(key)?.used,
      close() {
        closed = true;
        clearInterval(timer);
      },
    };
  };
}

/** @param room bytes that the project may still take */
function changedAnywayMs(room: number): number {
  return Math.min(Math.max(ANYWAY_MS, room / FAST_BYTES_PER_MS), LONGEST_ANYWAY_MS);
}

/** An empty file costs a file system no block, but one of the entries that it has. */
const ENTRY_BYTES = 4_096;

interface Free {
  bytes: number;
  entries: number;
}

function freeOnDisk(folder: string): Free | undefined {
  try {
    const { bavail, bsize, ffree } = statfsSync(folder);
    return { bytes: bavail * bsize, entries: ffree };
  } catch {
    return undefined;
  }
}
