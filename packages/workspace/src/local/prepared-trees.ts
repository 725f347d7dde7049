import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { satisfies, validRange } from "semver";

/** What a package.json asks for, as far as it decides what is in node_modules. */
export interface Wanted {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** Two changes of a folder within one of these may have the same time. */
const CLOCK_TICK_MS = 100;

/** A ready node_modules that is shared by projects and written by none. */
export interface PreparedTree {
  key: string;
  /** Absolute. */
  modules: string;
  /** Text of the package-lock.json that belongs to it. */
  lock: string;
  packages: number;
  wanted: Wanted;
}

interface Lock {
  packages?: Record<string, { version?: string; link?: boolean }>;
}

/** Reads what a package.json asks for; undefined where it is none, or asks for more than plain dependencies. */
export function readWanted(manifestText: string): Wanted | undefined {
  let manifest: Record<string, unknown>;
  try {
    manifest = JSON.parse(manifestText) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  if (manifest === null || typeof manifest !== "object") return undefined;
  // These change what is installed in ways that only npm knows.
  for (const field of ["workspaces", "overrides", "optionalDependencies", "bundleDependencies"])
    if (manifest[field] !== undefined) return undefined;
  const scripts = (manifest.scripts ?? {}) as Record<string, unknown>;
  for (const script of ["preinstall", "install", "postinstall", "prepare"])
    if (scripts[script] !== undefined) return undefined;
  const read = (field: string) => (manifest[field] ?? {}) as Record<string, string>;
  return { dependencies: read("dependencies"), devDependencies: read("devDependencies") };
}

/**
 * Prepared dependencies, kept by what was asked for, platform and Node version. A tree appears whole or not at all (it is
 * renamed into place), and is found by what it holds: the same set of names, each in the range that is asked for now.
 */
export function createPreparedTrees(folder: string) {
  mkdirSync(folder, { recursive: true });
  const platform = `${process.platform}-${process.arch}-node${process.versions.node.split(".")[0]}`;
  let trees: PreparedTree[] = [];
  let readAt = -1;

  function all(): PreparedTree[] {
    // Another server over the same cache may have added some; a folder's time tells of its entries.
    const changed = statSync(folder).mtimeMs;
    if (changed === readAt && Date.now() - changed > CLOCK_TICK_MS) return trees;
    readAt = changed;
    trees = readdirSync(folder)
      .filter((key) => !key.startsWith(".") && existsSync(join(folder, key, "tree.json")))
      .map((key) => {
        const facts = JSON.parse(readFileSync(join(folder, key, "tree.json"), "utf8")) as {
          platform: string;
          wanted: Wanted;
          packages: number;
        };
        const lock = readFileSync(join(folder, key, "package-lock.json"), "utf8");
        return { ...facts, key, modules: join(folder, key, "node_modules"), lock };
      })
      .filter((tree) => tree.platform === platform);
    return trees;
  }

  return {
    folder,
    all,
    /** The tree that satisfies it exactly, if there is one. `lock`: the project's own lock file, if it has one. */
    find(wanted: Wanted, lock: string | undefined): PreparedTree | undefined {
      if (
        Object.keys(wanted.dependencies).length + Object.keys(wanted.devDependencies).length ===
        0
      )
        return undefined;
      return all().find((tree) => {
        if (lock !== undefined && !samePackages(lock, tree.lock)) return false;
        return covers(tree, wanted, "dependencies") && covers(tree, wanted, "devDependencies");
      });
    },

    /** Takes a finished `node_modules` folder (it is moved) and its lock file in. */
    add(wanted: Wanted, modules: string, lock: string): PreparedTree {
      const key = createHash("sha256")
        .update(JSON.stringify([platform, wanted, lock]))
        .digest("hex")
        .slice(0, 24);
      const target = join(folder, key);
      const packages = Object.keys((JSON.parse(lock) as Lock).packages ?? {}).filter(
        Boolean,
      ).length;
      if (!existsSync(target)) {
        const building = join(folder, `.building-${key}-${process.pid}`);
        rmSync(building, { recursive: true, force: true });
        mkdirSync(building);
        renameSync(modules, join(building, "node_modules"));
        writeFileSync(join(building, "package-lock.json"), lock);
        writeFileSync(join(building, "tree.json"), JSON.stringify({ platform, wanted, packages }));
        try {
          renameSync(building, target);
        } catch (error) {
          // Another server was first with the very same.
          if (!existsSync(target)) throw error;
          rmSync(building, { recursive: true, force: true });
        }
      }
      readAt = -1;
      return { key, modules: join(target, "node_modules"), lock, packages, wanted };
    },
  };
}

export type PreparedTrees = ReturnType<typeof createPreparedTrees>;

function covers(tree: PreparedTree, wanted: Wanted, field: keyof Wanted): boolean {
  const names = Object.keys(wanted[field]);
  if (names.length !== Object.keys(tree.wanted[field]).length) return false;
  const versions = (JSON.parse(tree.lock) as Lock).packages ?? {};
  return names.every((name) => {
    const range = wanted[field][name]!;
    if (tree.wanted[field][name] === undefined) return false;
    const version = versions[`node_modules/${name}`]?.version;
    // A tag such as `latest` may mean another version by now, but none that was asked for by number.
    if (range === "latest" || range === "*" || range === "") return version !== undefined;
    return version !== undefined && validRange(range) !== null && satisfies(version, range);
  });
}

/** Whether two lock files put the same versions in the same places. */
function samePackages(a: string, b: string): boolean {
  const read = (text: string) => {
    try {
      const packages = (JSON.parse(text) as Lock).packages ?? {};
      return JSON.stringify(
        Object.entries(packages)
          .filter(([place]) => place !== "")
          .map(([place, { version, link }]) => [place, version, link])
          .sort(),
      );
    } catch {
      return "unreadable";
    }
  };
  const first = read(a);
  return first !== "unreadable" && first === read(b);
}
