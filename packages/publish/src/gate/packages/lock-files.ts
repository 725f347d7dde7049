/** The supported lock files by package manager. */
export const LOCK_FILES = {
  npm: "package-lock.json",
  pnpm: "pnpm-lock.yaml",
  yarn: "yarn.lock",
  bun: "bun.lock",
} as const;

/** A project's lock file, with the package.json beside it. */
export interface LockFile {
  file: (typeof LOCK_FILES)[keyof typeof LOCK_FILES];
  text: string;
  manifest: string;
  /** The licences that installed packages declare, by `name@version`. */
  licences?: ReadonlyMap<string, string>;
  /** Names of packages that the app's own sources import. */
  imported?: ReadonlySet<string>;
}
