import { packagesIn } from "./check-lock-file.ts";
import type { LockFile } from "./lock-files.ts";
import { parse as readLockFile } from "./read-lock-file.parser.ts";

/** What a lock file says, as far as it is needed before a release is built. */
export interface LockSummary {
  /** Names and versions of the packages from a registry that go out with the app. */
  packages: Record<string, string[]>;
  /** Whether it names the licence of every package that goes out. */
  hasLicences: boolean;
}

/** @returns undefined if the file cannot be read */
export function parse(lock: LockFile): LockSummary | undefined {
  const read = readLockFile(lock);
  if (!read) return undefined;
  const hasLicences = read.packages.every(({ isDev, licence }) => isDev || licence !== undefined);
  return { packages: packagesIn(read), hasLicences };
}
