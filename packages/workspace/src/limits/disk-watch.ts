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
/** What is written without the file system's free space going down noticeably is found by this. */
const ANYWAY_MS = 60_000;

export interface DiskUser {
  /** Where all of it lies: absolute, on this machine. */
  folders: readonly string[];
  limits: ResourceLimits;
  pids(): readonly number[];
  /** It went over its limit: everything in it has to be ended. */
  onOver(hit: LimitHit): void;
}

/** A project that is watched. */
export interface WatchedDisk {
  /** Why nothing may be written, a sentence; undefined while there is room. */
  full(): string | undefined;
  close(): void;
}

/**
 * Keeps projects within their part of the disk. File systems that can do it themselves are rare, so it is measured:
 * whenever as much was written to the file system as a project could have needed to get over its limit.
 */
export function createDiskWatch(
  measure: typeof measureFolders = measureFolders,
): (user: DiskUser) => WatchedDisk {
  /** What is known of a project outlives its sandbox, which ends when it is over its limit. */
  const known = new Map<string, { used: number; most: number }>();

  return (user) => {
    const { folders, limits } = user;
    const key = folders[0]!;
    let freeThen: Free | undefined;
    let measuredAt = performance.now();
    let notBefore = measuredAt + FIRST_MS;
    let measuring = false;
    let closed = false;

    async function look(): Promise<void> {
      const now = performance.now();
      if (measuring || closed || now < notBefore) return;
      const free = freeOf(key);
      if (!free) return;
      const before = known.get(key);
      const could =
        before && freeThen ? before.used + Math.max(0, writtenSince(freeThen, free)) : Infinity;
      if (could <= limits.disk && now - measuredAt < ANYWAY_MS) return;
      measuring = true;
      const named = await measure(folders).catch(() => 0);
      measuring = false;
      if (closed) return;
      const used = named + measureUnnamed(user.pids(), key);
      freeThen = free;
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

    const timer = setInterval(() => void look(), EVERY_MS).unref();
    return {
      full() {
        const used = known.get(key)?.used ?? 0;
        return used > limits.disk ? diskFullWords(limits, used) : undefined;
      },
      close() {
        closed = true;
        clearInterval(timer);
      },
    };
  };
}

/** An empty file costs a file system no block, but one of the entries that it has. */
const ENTRY_BYTES = 4_096;

interface Free {
  bytes: number;
  entries: number;
}

function freeOf(folder: string): Free | undefined {
  try {
    const { bavail, bsize, ffree } = statfsSync(folder);
    return { bytes: bavail * bsize, entries: ffree };
  } catch {
    return undefined;
  }
}

/** Bytes, by whomever. */
const writtenSince = (then: Free, now: Free): number =>
  Math.max(then.bytes - now.bytes, (then.entries - now.entries) * ENTRY_BYTES);
