/** The lock files that are read, by their package manager. */
export const LOCK_FILES = {
  npm: "package-lock.json",
  pnpm: "pnpm-lock.yaml",
  yarn: "yarn.lock",
  bun: "bun.lock",
} as const;

/** A lock file as it stands in a project, and the package.json beside it. */
export interface LockFile {
  file: (typeof LOCK_FILES)[keyof typeof LOCK_FILES];
  text: string;
  manifest: string;
  /** By `name@version`: what the installed packages say of themselves. */
  licences?: ReadonlyMap<string, string>;
  /** Names of packages that the app's own sources import. */
  imported?: ReadonlySet<string>;
}
