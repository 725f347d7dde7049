/** The package managers that a project may be of. Host and guest know the same of them. */

export type ManagerName = "npm" | "pnpm" | "yarn" | "bun";

export interface Manager {
  /** Its lock files, the one that it writes today first. */
  locks: readonly [string, ...string[]];
  /** Files beside package.json that change an install in ways specific to the manager. */
  settings: readonly string[];
  /** The version that is fetched where package.json names none (`packageManager`). npm is there already. */
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

/** A glob of all lock files: package managers write them, and nobody reads their hashes. */
export const LOCK_FILES = `{${Object.values(MANAGERS)
  .flatMap(({ locks }) => locks)
  .join(",")}}`;

export const isManager = (name: string): name is ManagerName => Object.hasOwn(MANAGERS, name);

/** A package manager as the registry has it. */
export interface ManagerPackage {
  manager: ManagerName;
  /** The registry's package that holds it, with its exact version. */
  package: string;
  version: string;
  /** Its program, below the folder that the package was installed in. */
  program: string;
}

/** Three numbers, as `packageManager` has to name it; what follows (`-rc.1`, `+sha512…`) is left out of folder names. */
const EXACT = /^\d{1,4}\.\d{1,4}\.\d{1,6}(?:-[a-z0-9.]{1,20})?$/;

/** The package to download for a manager. `wished`: the version after the @ in `packageManager`. */
export function toolOf(manager: ManagerName, wished: string | undefined): ManagerPackage {
  const plain = wished?.split("+")[0] ?? "";
  const version = EXACT.test(plain) ? plain : MANAGERS[manager].version;
  if (manager === "bun") {
    const holder = `@oven/bun-linux-${process.arch === "arm64" ? "aarch64" : "x64"}`;
    return { manager, package: holder, version, program: `node_modules/${holder}/bin/bun` };
  }
  // From version 2 on it is published under another name.
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

/** A file that says of itself whose project it is, lock or not. */
const PNPM_WORKSPACE = "pnpm-workspace.yaml";

/** Of several locks npm's counts: it is there, and what is typed where nobody thought of a manager is its name. */
const BY_LOCK = ["npm", "pnpm", "yarn", "bun"] as const;

/** Files that `managerOf` has to know of: whether they stand beside package.json. */
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
