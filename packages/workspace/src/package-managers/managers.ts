/** The supported package managers. Used by host and guest. */

export type ManagerName = "npm" | "pnpm" | "yarn" | "bun";

export interface Manager {
  /** Names of its lock files, the current one first. */
  locks: readonly [string, ...string[]];
  /** Files beside package.json that change an install in ways specific to the manager. */
  settings: readonly string[];
  /**
   * The version that is downloaded if package.json names none (`packageManager`). npm is already
   * installed.
   */
  version: string;
}

export const MANAGERS: Readonly<Record<ManagerName, Manager>> = {
  npm: {
    locks: ["package-lock.json", "npm-shrinkwrap.json"],
    settings: [".npmrc"],
    version: "",
  },
  pnpm: {
    locks: ["pnpm-lock.yaml"],
    settings: [".npmrc", ".pnpmfile.cjs", ".pnpmfile.mjs", "pnpm-workspace.yaml"],
    version: "11.28.10",
  },
  yarn: {
    locks: ["yarn.lock"],
    settings: [".npmrc", ".yarnrc", ".yarnrc.yml"],
    version: "1.22.22",
  },
  bun: {
    locks: ["bun.lock", "bun.lockb"],
    settings: [".npmrc", "bunfig.toml"],
    version: "1.4.5",
  },
};

/** A glob of all lock files, which package managers write and nobody reads. */
export const LOCK_FILES = `{${Object.values(MANAGERS)
  .flatMap(({ locks }) => locks)
  .join(",")}}`;

export const isManager = (name: string): name is ManagerName => Object.hasOwn(MANAGERS, name);

/** A package manager in the registry. */
export interface ManagerPackage {
  manager: ManagerName;
  /** The registry's package that contains it, with its exact version. */
  package: string;
  version: string;
  /** Path of its program, relative to the folder in which the package was installed. */
  program: string;
}

/**
 * An exact version of three numbers, as required in `packageManager`; suffixes (`-rc.1`,
 * `+sha512…`) are left out of folder names.
 */
const EXACT = /^\d{1,4}\.\d{1,4}\.\d{1,6}(?:-[a-z0-9.]{1,20})?$/;

/** The package to download for a manager. `wished`: the version after the @ in `packageManager`. */
export function toolOf(manager: ManagerName, wished: string | undefined): ManagerPackage {
  const plain = wished?.split("+")[0] ?? "";
  const version = EXACT.test(plain) ? plain : MANAGERS[manager].version;
  if (manager === "bun") {
    const holder = `@oven/bun-linux-${process.arch === "arm64" ? "aarch64" : "x64"}`;
    return { manager, package: holder, version, program: `node_modules/${holder}/bin/bun` };
  }
  // From version 2 on, Yarn is published under another name.
  const modern = manager === "yarn" && Number(version.split(".")[0]) > 1;
  return {
    manager,
    package: modern ? "@yarnpkg/cli-dist" : manager,
    version,
    program: `node_modules/.bin/${manager}`,
  };
}

/** Name of the folder in which a tool is stored. */
export const toolFolder = ({ manager, version }: ManagerPackage): string => `${manager}@${version}`;

/** A file that implies a pnpm project even without a lock file. */
const PNPM_WORKSPACE = "pnpm-workspace.yaml";

/**
 * If there are several lock files, npm's has precedence: it is always installed, and people type
 * its name by default.
 */
const BY_LOCK = ["npm", "pnpm", "yarn", "bun"] as const;

/** Names of files that `managerOf` looks for beside package.json. */
export const MANAGER_FILES: readonly string[] = [
  PNPM_WORKSPACE,
  ...BY_LOCK.flatMap((manager) => MANAGERS[manager].locks),
];

/**
 * The package manager of a project: the one that package.json names, else the one that its files indicate.
 * @param packageManager the field of package.json, of any type
 * @param files names beside package.json
 * @returns undefined if nothing indicates one, in which case npm is the default
 */
export function managerOf(
  packageManager: unknown,
  files: readonly string[],
): { manager: ManagerName; version?: string } | undefined {
  const [name, version] = typeof packageManager === "string" ? packageManager.split("@") : [];
  if (name && isManager(name)) return { manager: name, version: version || undefined };
  if (files.includes(PNPM_WORKSPACE)) return { manager: "pnpm" };
  const manager = BY_LOCK.find((one) => MANAGERS[one].locks.some((lock) => files.includes(lock)));
  return manager && { manager };
}
