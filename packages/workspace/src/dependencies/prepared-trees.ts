import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ManagerName } from "../package-managers/managers.ts";
import { canonical, type Wanted } from "./wanted-packages.ts";

/**
 * Who decided on the content of a tree.
 * `template`: Treadle alone, without any project's input, so it may serve every project that it fits.
 * `manifest`, `lock`: Treadle, in a sandbox with the registry and these texts of one project. The registry returns the
 * same to everyone, but the project chose the texts and could choose old versions or, with a lock file, another archive
 * under a known name. So it serves only projects with identical texts, which would have installed the same.
 */
export type TreeOrigin = "template" | "manifest" | "lock";

interface TreeFacts {
  platform: string;
  manager: ManagerName;
  /** The manager's version, if a project named one. */
  version?: string;
  wanted: Wanted;
  from: TreeOrigin;
  /** Digest of the lock file that was given, if any. */
  given?: string;
  /**
   * Code of packages ran during the preparation, and may have written anything into their own
   * folders.
   */
  scripts: boolean;
  /** Whether projects other than the one that requested it may use it. */
  shared: boolean;
  packages: number;
  /** Size on disk, in bytes. */
  bytes: number;
  /** Milliseconds since 1970. */
  madeAt: number;
  /** Its files are writable for everyone who can reach them; only overlay mounts may expose it. */
  open: boolean;
}

/** A complete node_modules that projects share and cannot write to. */
export interface PreparedTree extends TreeFacts {
  key: string;
  /** Absolute path. */
  modules: string;
  /** Text of the matching lock file; empty if its manager wrote none. */
  lock: string;
}

/** Two changes of a folder within this time may have the same timestamp. */
const CLOCK_TICK_MS = 100;

/**
 * The platform of a tree: compiled add-ons and optional packages depend on all of these. Add-ons
 * are built for a Node ABI, which is constant within a major version.
 */
export const PLATFORM = [
  process.platform,
  process.arch,
  libc(),
  `node${process.versions.node.split(".")[0]}`,
].join("-");

function libc(): string {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime ? "glibc" : "musl";
}

export const digestOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 24);

/**
 * Prepared dependencies of all projects in one folder. Trees appear and disappear atomically, by renaming. Several
 * servers may share the folder.
 */
export function createPreparedTrees(folder: string) {
  mkdirSync(folder, { recursive: true });
  // Its files are writable, so the folder itself must be accessible to this user alone, whatever its parents allow.
  chmodSync(folder, 0o700);
  let trees: PreparedTree[] = [];
  let readAt = -1;
  /** How many times this process holds each tree. */
  const held = new Map<string, number>();

  function all(): PreparedTree[] {
    // Another server with the same cache may have added trees; the folder's time changes with its
    // entries.
    const changed = statSync(folder).mtimeMs;
    if (changed === readAt && Date.now() - changed > CLOCK_TICK_MS) return trees;
    readAt = changed;
    trees = readdirSync(folder)
      .filter((key) => !key.startsWith("."))
      .flatMap((key) => read(key) ?? []);
    return trees;
  }

  function read(key: string): PreparedTree | undefined {
    const text = (name: string) => readFileSync(join(folder, key, name), "utf8");
    try {
      const facts = JSON.parse(text("tree.json")) as TreeFacts;
      // A tree of an older Treadle lacks some facts and is left to the size limit.
      if (facts.platform !== PLATFORM || facts.shared === undefined) return undefined;
      return { ...facts, key, modules: join(folder, key, "node_modules"), lock: text("lock") };
    } catch {
      return undefined;
    }
  }

  const holders = (key: string) => join(folder, key, "held-by");

  return {
    folder,
    all,

    /** Trees that may serve any project. */
    shared: () => all().filter(({ shared }) => shared),

    /** Moves a finished `node_modules` folder and its lock file into the cache. */
    async add(
      facts: Omit<TreeFacts, "platform" | "packages" | "bytes" | "madeAt">,
      modules: string,
      lock: string,
    ): Promise<PreparedTree> {
      const { manager, version, wanted: requested, from, given, scripts, shared } = facts;
      const own = shared ? "" : randomBytes(8).toString("hex");
      const key = digestOf(
        canonical([
          PLATFORM,
          manager,
          version ?? "",
          requested,
          from,
          given ?? "",
          scripts,
          own,
          lock,
        ]),
      );
      const target = join(folder, key);
      if (!existsSync(target)) {
        const building = join(folder, `.building-${key}-${process.pid}`);
        rmSync(building, { recursive: true, force: true });
        mkdirSync(building);
        renameSync(modules, join(building, "node_modules"));
        const recorded: TreeFacts = {
          ...facts,
          platform: PLATFORM,
          packages: countPackages(join(building, "node_modules")),
          bytes: await diskUse(join(building, "node_modules")),
          madeAt: Date.now(),
        };
        writeFileSync(join(building, "lock"), lock);
        writeFileSync(join(building, "tree.json"), JSON.stringify(recorded));
        try {
          renameSync(building, target);
        } catch (error) {
          // Another server has added the same tree first.
          if (!existsSync(target)) throw error;
          rmSync(building, { recursive: true, force: true });
        }
      }
      readAt = -1;
      return read(key)!;
    },

    /**
     * Protects a tree from removal until the returned function is called or this process has ended.
     * @returns undefined if it is already gone
     */
    hold({ key }: PreparedTree): (() => void) | undefined {
      const mark = join(holders(key), String(process.pid));
      try {
        mkdirSync(holders(key), { recursive: false });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") return undefined;
      }
      try {
        writeFileSync(mark, "");
        utimesSync(join(folder, key, "tree.json"), new Date(), new Date());
      } catch {
        return undefined;
      }
      held.set(key, (held.get(key) ?? 0) + 1);
      let done = false;
      return () => {
        if (done) return;
        done = true;
        const left = held.get(key)! - 1;
        held.set(key, left);
        if (left === 0) rmSync(mark, { force: true });
      };
    },

    /** Discards the cached list after trees were removed. */
    forget(): void {
      readAt = -1;
    },
  };
}

export type PreparedTrees = ReturnType<typeof createPreparedTrees>;

/** Counts the packages in a node_modules, including scoped and nested ones. */
function countPackages(modules: string): number {
  let count = 0;
  const inFolder = (folder: string) => {
    for (const { name, isDirectory } of entries(folder)) {
      if (!isDirectory) continue;
      // pnpm stores the packages themselves here, each in a separate folder.
      if (name === ".pnpm")
        count += entries(join(folder, name)).filter(
          ({ name: one }) => one !== "node_modules" && one !== "lock.yaml",
        ).length;
      if (name.startsWith(".")) continue;
      if (name.startsWith("@")) inFolder(join(folder, name));
      else {
        count++;
        inFolder(join(folder, name, "node_modules"));
      }
    }
  };
  inFolder(modules);
  return count;
}

function entries(folder: string): { name: string; isDirectory: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isDirectory: entry.isDirectory(),
    }));
  } catch {
    return [];
  }
}

/**
 * Disk usage of a folder in bytes; links are not followed. Asynchronous, because large trees have
 * 13,000 files.
 */
async function diskUse(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await diskUse(path);
    else if (entry.isFile()) bytes += (await stat(path)).blocks * 512;
  }
  return bytes;
}
