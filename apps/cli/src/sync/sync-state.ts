import { readFileSync, renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** A folder's stored knowledge about the project that it is synchronized with. */
export interface SyncState {
  project: string;
  /** How both were when they were the same last. */
  base: Map<string, string>;
}

const FILE = "state.json";

/**
 * What an earlier time left in a folder; undefined where it is none, or cannot be read: all is compared then, and where texts
 * differ both stay.
 */
export function readSyncState(own: string): SyncState | undefined {
  try {
    const { project, base } = JSON.parse(readFileSync(join(own, FILE), "utf8")) as {
      project: unknown;
      base: Record<string, unknown>;
    };
    const entries = Object.entries(base).filter((entry): entry is [string, string] => typeof entry[1] === "string"); // prettier-ignore
    return typeof project === "string" ? { project, base: new Map(entries) } : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all. */
export async function keepSyncState(own: string, { project, base }: SyncState): Promise<void> {
  const draft = join(own, `${FILE}.draft`);
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(JSON.stringify({ project, base: Object.fromEntries(base) }));
    await file.sync();
  } finally {
    await file.close();
  }
  renameSync(draft, join(own, FILE));
}
