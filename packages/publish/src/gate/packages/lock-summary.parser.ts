import { packagesIn } from "./check-lock-file.ts";
import type { LockFile } from "./lock-files.ts";
import { parse as readLockFile } from "./read-lock-file.parser.ts";

/** The parts of a lock file that are needed before a release is built. */
export interface LockSummary {
  /** Names and versions of the registry packages that are part of the app. */
  packages: Record<string, string[]>;
  /** Whether it contains the licence of every package of the app. */
  hasLicences: boolean;
}

/** Summarises a lock file; undefined if it cannot be read. */
export function parse(lock: LockFile): LockSummary | undefined {
  const read = readLockFile(lock);
  if (!read) return undefined;
  const hasLicences = read.packages.every(({ isDev, licence }) => isDev || licence !== undefined);
  return { packages: packagesIn(read), hasLicences };
}
