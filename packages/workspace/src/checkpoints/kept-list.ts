import { sentence } from "@treadle/protocol/sentences";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WorkspaceError, type CheckpointRecord } from "../types.ts";
import { renameSynced, writeSynced } from "./durable-file.ts";

/** A stored revision and the tree that contains it. */
export type Kept = CheckpointRecord & { tree: string };

/** Content of `checkpoints.json`. */
export interface Contents {
  /** Number of the next checkpoint. It only increases, even if checkpoints are thinned out. */
  next: number;
  kept: readonly Kept[];
}

/** The list of checkpoints on disk. */
export interface KeptList {
  /** In the order of creation. @throws WorkspaceError `failed` if the file cannot be read */
  all(): readonly Kept[];
  /** The name of the next checkpoint. */
  nameFor(revision: string): string;
  /** The number of the next checkpoint. */
  next(): number;
  /**
   * Appends a checkpoint, synced to the disk when it resolves. If it rejects, nothing was added.
   * Calls must not overlap.
   */
  add(entry: Kept): Promise<void>;
  /** Replaces all checkpoints; numbers are not reused. As `add`. */
  replace(checkpoints: readonly Kept[]): Promise<void>;
  /** Whether a checkpoint of that name existed and was removed. */
  wasThinned(name: string): boolean;
}

const keptListFile = (stateDirectory: string) => join(stateDirectory, "checkpoints.json");

/** Opens the list of a state folder; reads it on first use. */
export function openKeptList(stateDirectory: string): KeptList {
  const file = keptListFile(stateDirectory);
  let read: Contents | undefined;
  const contents = () => (read ??= readContents(file));
  async function write(next: Contents): Promise<void> {
    await writeKeptList(stateDirectory, next);
    // Assigned afterwards, so that `all` reports only what is on disk.
    read = next;
  }
  return {
    all: () => contents().kept,
    nameFor: (revision) => `c${contents().next}-${revision.slice(0, 8)}`,
    next: () => contents().next,
    add: (entry) => write({ next: contents().next + 1, kept: [...contents().kept, entry] }),
    replace: (checkpoints) => write({ next: contents().next, kept: checkpoints }),
    wasThinned(name) {
      const { next, kept: checkpoints } = contents();
      return numberOf(name) < next && !checkpoints.some(({ checkpoint }) => checkpoint === name);
    },
  };
}

/** The number in a checkpoint's name; infinite if it has none. */
function numberOf(name: string): number {
  const digits = /^c(\d{1,15})-[0-9a-f]{8}$/.exec(name)?.[1];
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
}

function readContents(file: string): Contents {
  if (!existsSync(file)) return { next: 1, kept: [] };
  try {
    const found = JSON.parse(readFileSync(file, "utf8")) as Contents | Kept[];
    if (!Array.isArray(found)) return found;
    // An older version of Treadle numbered checkpoints by their count.
    const given = found.map(({ checkpoint }) => numberOf(checkpoint)).filter(Number.isFinite);
    return { next: Math.max(found.length, ...given) + 1, kept: found };
  } catch (error) {
    throw new WorkspaceError(
      "failed",
      sentence("checkpoint-list-unreadable", { why: (error as Error).message, file }),
    );
  }
}

/** Writes the list atomically, synced to the disk when it resolves (F7). */
export async function writeKeptList(stateDirectory: string, contents: Contents): Promise<void> {
  const file = keptListFile(stateDirectory);
  await writeSynced(`${file}.new`, JSON.stringify(contents));
  await renameSynced(`${file}.new`, file);
}
