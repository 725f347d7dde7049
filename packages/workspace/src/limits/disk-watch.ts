import type { Sentence } from "@treadle/protocol/sentences";
import { statfsSync } from "node:fs";
import { diskFull, diskHit, diskNear, type LimitHit } from "./limit-words.ts";
import type { OpenOptions } from "../types.ts";
import type { ResourceLimits } from "./limits.ts";
import { measureFolders, measureUnnamed } from "./measure-disk.ts";

/** Interval at which free space is read, which is cheap. */
const EVERY_MS = 250;
/** Delay before a project's first measurement, so that it does not slow down its start. */
const FIRST_MS = 2_000;
/** Measuring takes long with many files: the pause afterwards is this many times as long. */
const REST = 4;
const LONGEST_REST_MS = 10_000;
/**
 * Number of bytes that a project over its limit may still grow by, at most a quarter of the limit:
 * removing files takes some space, too.
 */
const SLACK = 64 * 1024 * 1024;
/**
 * Maximum interval between measurements while anything changes, since removals by others can hide
 * growth.
 */
const ANYWAY_MS = 5_000;
/**
 * An upper bound on hidden growth: the speed of a fast disk. A project far below its limit can
 * therefore be measured less often.
 */
const FAST_BYTES_PER_MS = 512 * 1024;
const LONGEST_ANYWAY_MS = 20_000;
/** Maximum interval if nothing changed, because free space may be the same by chance. */
const QUIET_ANYWAY_MS = 60_000;

/** The share of the limit from which on there is a warning. */
const NEAR_SHARE = 0.9;

export interface DiskUser {
  /** All of its folders: absolute paths on this machine. */
  folders: readonly string[];
  limits: ResourceLimits;
  pids(): readonly number[];
  /** What others leave it of the disk, read before each measurement. Absent: everything. */
  allowance?: OpenOptions["diskAllowance"];
  /** Called once when it comes near its limit. */
  onNear?(hit: LimitHit): void;
  /** Called when the limit is exceeded, after which everything in the sandbox must be killed. */
  onOver(hit: LimitHit): void;
}

/** A project whose disk usage is watched. */
export interface WatchedDisk {
  /** Returns a message explaining why nothing may be written; undefined while there is space. */
  full(): Sentence | undefined;
  /** The last measured size in bytes; undefined before the first measurement. */
  used(): number | undefined;
  close(): void;
}

/**
 * Limits projects' use of the disk. File systems rarely support quotas, so this measures a project
 * whenever enough was written to the file system to take it over its limit.
 */
export function createDiskWatch(
  measure: typeof measureFolders = measureFolders,
  freeOf: (folder: string) => Free | undefined = freeOnDisk,
): (user: DiskUser) => WatchedDisk {
  /**
   * Sizes in bytes by a project's first folder. They outlive its sandbox, which is ended when the project is over its
   * limit.
   */
  const known = new Map<string, { used: number; most: number; limit: number; why?: Sentence }>();

  return (user) => {
    const { folders, limits } = user;
    const key = folders[0]!;
    let lastFree: Free | undefined;
    /**
     * Bytes and entries written by anyone since the measurement. Removals by others are not
     * subtracted.
     */
    let written: Free = { bytes: 0, entries: 0 };
    let changed = false;
    let measuredAt = performance.now();
    let notBefore = measuredAt + FIRST_MS;
    let measuring = false;
    let closed = false;
    let isNearAnnounced = false;

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
      const former = before?.limit ?? limits.disk;
      const anywayMs = changed ? changedAnywayMs(former - (before?.used ?? 0)) : QUIET_ANYWAY_MS;
      if (could <= former && sinceMs < anywayMs) return;
      measuring = true;
      written = { bytes: 0, entries: 0 };
      changed = false;
      const named = await measure(folders).catch(() => 0);
      const allowance = await user.allowance?.().catch(() => undefined);
      measuring = false;
      if (closed) return;
      const used = named + measureUnnamed(user.pids(), key);
      measuredAt = performance.now();
      notBefore = measuredAt + Math.min(REST * (measuredAt - now), LONGEST_REST_MS);
      const isAllowed = allowance === undefined || allowance.bytes >= limits.disk;
      const limit = isAllowed ? limits.disk : allowance.bytes;
      const why = isAllowed ? undefined : allowance.why;
      // A project that is already over its limit when first seen is not ended: it must be possible
      // to remove something. Nor is one whose limit sank because others have grown.
      const slack = Math.min(SLACK, limits.disk / 4);
      const sank = before !== undefined && limit < before.limit && used > limit;
      const most = sank || before === undefined ? Math.max(limit, used + slack) : Math.max(before.most, limit); // prettier-ignore
      const isOver = used > most;
      known.set(key, {
        used,
        most: used <= limit ? limit : isOver ? used + slack : most,
        limit,
        why,
      });
      if (isOver) user.onOver(diskHit(limits, used, why));
      const isNear = used > limit * NEAR_SHARE;
      if (isNear && !isNearAnnounced) user.onNear?.(diskNear(limit, used));
      isNearAnnounced = isNear;
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
        const { used = 0, limit = limits.disk, why } = known.get(key) ?? {};
        return used > limit ? (why ?? diskFull(limits, used)) : undefined;
      },
      used: () => known.get(key)?.used,
      close() {
        closed = true;
        clearInterval(timer);
      },
    };
  };
}

/**
 * How often to measure a project while anything changes, in milliseconds.
 * @param room number of bytes that the project may still use
 */
function changedAnywayMs(room: number): number {
  return Math.min(Math.max(ANYWAY_MS, room / FAST_BYTES_PER_MS), LONGEST_ANYWAY_MS);
}

/** Bytes counted for each entry: an empty file uses no block of a file system, but one of its entries. */
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
