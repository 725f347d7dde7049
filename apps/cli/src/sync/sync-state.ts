import { readFileSync, renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** The stored state of a folder that is synchronized with a project. */
export interface SyncState {
  project: string;
  /** The versions at which both sides last agreed. */
  base: Map<string, string>;
}

const FILE = "state.json";

/**
 * Reads the state that an earlier session stored in a folder; undefined if there is none or it
 * cannot be read. Then everything is compared, and where texts differ both are kept.
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

/** Stores the state atomically. */
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
