import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PreparedTree, PreparedTrees } from "../dependencies/prepared-trees.ts";
import type { TreeOrder } from "../dependencies/tree-maker.ts";
import { toProjectPath } from "@treadle/protocol/project-path";
import { checkPath } from "../paths.ts";
import { WorkspaceError } from "../types.ts";
import { inMountNamespace, bindInto, intoFolder } from "./in-mount-namespace.ts";
import { removeTree } from "../remove-tree.ts";
import { escapeLayer, LAUNCH_ENV, overlayOptions, type Bind } from "./sandbox-command.ts";
import type { LaunchedGuest } from "./start-guest.ts";
import { cloneTree, mountsFrom, type TreeMount } from "./tree-mounts.ts";

const run = promisify(execFile);
/** Written and removed again, so that the folder is there. */
const KEEP = toProjectPath("node_modules/.keep");

/** What is mounted at the project's node_modules, remembered so that it is there again at the next start. */
interface Kept {
  key: string;
  /** Holds `upper` and `work` of an overlay, else `clone`. */
  layer: string;
  way: TreeMount;
  /** To make the tree again, should it be gone by then. */
  order: TreeOrder;
}

type Mounted = Kept & { tree: PreparedTree; release(): void };

/**
 * Copies as it is made new: 0755 and 0644 at the most, without the bits that make a program another user's, from the first
 * moment on. What a tree's own files are open for is no business of the person's folder.
 */
const COPY = "umask 022; cp -RP --preserve=timestamps,links";

const UNMOUNT = 'exec umount -l -c "$place/node_modules"';

/**
 * A project's dependencies: a prepared tree below, a layer of the project's own above it. What the project writes into
 * node_modules lands in its layer; the tree is never writable by anybody.
 */
export function createDependencies(options: {
  trees: PreparedTrees;
  /** Makes a tree again that was removed to keep within the size limit. */
  remake(order: TreeOrder): Promise<PreparedTree | undefined>;
  way(): Promise<TreeMount>;
  directory: string;
  stateDirectory: string;
  uid: number;
  /** Without a sandbox nothing can be mounted: the tree is copied instead. */
  plain: boolean;
}) {
  const { trees, directory, stateDirectory, uid, plain } = options;
  const modules = join(directory, "node_modules");
  const record = join(stateDirectory, "dependencies.json");
  let mounted: Mounted | undefined;

  function readKept(): Kept | undefined {
    try {
      const recorded = JSON.parse(readFileSync(record, "utf8")) as Kept;
      return recorded.order && existsSync(recorded.layer) ? recorded : undefined;
    } catch {
      return undefined;
    }
  }

  /** Makes the folder that is mounted over, by the guest, so that no link is followed; then mounts. */
  async function mount(link: LaunchedGuest, { layer, way }: Kept, tree: PreparedTree) {
    await link.request("write", { path: KEEP }, new Uint8Array());
    await link.request("remove", { path: KEEP });
    const act =
      way === "overlay"
        ? intoFolder("node_modules", 'mount -c -t overlay overlay -o "$1" .')
        : bindInto("node_modules");
    const source =
      way === "overlay"
        ? overlayOptions([tree.modules], join(layer, "upper"), join(layer, "work"))
        : join(layer, "clone");
    await inMountNamespace(link, act, source);
  }

  /** A layer for a tree. A name of its own each time: one that was just unmounted may still be in use. */
  async function makeLayer(tree: PreparedTree, way: TreeMount): Promise<string> {
    const layers = join(stateDirectory, "layers");
    mkdirSync(layers, { recursive: true });
    const layer = mkdtempSync(join(layers, `${tree.key}-`));
    if (way !== "overlay") await cloneTree(tree, way, join(layer, "clone"), uid);
    else
      for (const part of ["upper", "work"]) {
        mkdirSync(join(layer, part));
        if (process.getuid?.() === 0) chownSync(join(layer, part), uid, uid);
      }
    return layer;
  }

  const orderOf = ({ manager, wanted: requested, lock }: PreparedTree): TreeOrder => ({
    manager,
    wanted: requested,
    lock: lock === "" ? undefined : lock,
    from: lock === "" ? "manifest" : "lock",
  });

  function forget(): void {
    mounted?.release();
    mounted = undefined;
    rmSync(record, { force: true });
  }

  /** Names of the packages that are there, those of scopes with their scope. */
  async function present(link: LaunchedGuest): Promise<string[]> {
    const list = async (path: string) =>
      (await link.request("list-raw", { path: checkPath(path) })).result;
    return packageNames(await list("node_modules"), (scope) => list(`node_modules/${scope}`));
  }

  return {
    /** The tree that is mounted at the project's node_modules. */
    get tree(): PreparedTree | undefined {
      return mounted?.tree;
    },

    present,

    /** Whether the packages of the mounted tree are there, no more and no less. */
    async isWhole(link: LaunchedGuest): Promise<boolean> {
      if (!mounted) return false;
      const { modules } = mounted.tree;
      const names = await packageNames(await readdir(modules), (scope) =>
        readdir(join(modules, scope)),
      );
      return names.join("\n") === (await present(link)).join("\n");
    },

    /** Mounts again what was mounted when the workspace was last stopped. */
    async restore(link: LaunchedGuest): Promise<void> {
      const recorded = plain ? undefined : (mounted ?? readKept());
      if (!recorded) return;
      mounted?.release();
      mounted = undefined;
      try {
        const there = trees.all().find(({ key }) => key === recorded.key);
        const tree = there ?? (await options.remake(recorded.order));
        const release = tree && trees.hold(tree);
        if (!tree || !release) return forget();
        mounted = { ...recorded, key: tree.key, tree, release };
        await mount(link, recorded, tree);
      } catch {
        // A link or a file in its place, or a machine that mounts no more: the package manager has to install.
        forget();
      }
    },

    /**
     * Puts a tree in place of nothing.
     * @throws WorkspaceError `sandbox` where the machine can do it in no way
     */
    async place(link: LaunchedGuest, tree: PreparedTree): Promise<TreeMount> {
      const release = trees.hold(tree);
      if (!release) throw new WorkspaceError("missing", "the prepared dependencies were removed");
      if (plain) {
        try {
          await cloneTree(tree, "copy", modules, uid);
          return "copy";
        } finally {
          release();
        }
      }
      let problem = "";
      for (const way of mountsFrom(await options.way())) {
        let layer: string | undefined;
        try {
          layer = await makeLayer(tree, way);
          const recorded: Kept = { key: tree.key, layer, way, order: orderOf(tree) };
          await mount(link, recorded, tree);
          mounted = { ...recorded, tree, release };
          writeFileSync(record, JSON.stringify(recorded));
          return way;
        } catch (error) {
          problem = (error as { stderr?: string }).stderr || (error as Error).message;
          await inMountNamespace(link, UNMOUNT).catch(() => undefined);
          if (layer) await removeTree(layer);
        }
      }
      release();
      throw new WorkspaceError(
        "sandbox",
        `the prepared dependencies could not be put in place: ${problem.trim()}`,
      );
    },

    /** Takes the mount away, also from under programs that still have files of it open, and the layer with it. */
    async clear(link: LaunchedGuest): Promise<void> {
      if (!mounted) return;
      const { layer } = mounted;
      await inMountNamespace(link, UNMOUNT);
      forget();
      await removeTree(layer);
    },

    /** For a throw-away copy of the project at `target`: the same dependencies, below an upper layer that is thrown away. */
    throwAway(target: string, scratch: string): Bind[] {
      if (!mounted) return [];
      const upper = join(scratch, "modules-upper");
      const work = join(scratch, "modules-work");
      for (const folder of [upper, work]) {
        mkdirSync(folder, { recursive: true });
        if (process.getuid?.() === 0) chownSync(folder, uid, uid);
      }
      const { layer, way, tree } = mounted;
      const lower =
        way === "overlay" ? [join(layer, "upper"), tree.modules] : [join(layer, "clone")];
      return [
        {
          source: tree.modules,
          target: `${target}/node_modules`,
          writable: true,
          overlay: { lower, upper, work },
        },
      ];
    },

    /** Called when nothing is mounted any more, so that the layer's owner can remove it with ordinary tools. */
    release(): void {
      mounted?.release();
      if (!mounted || mounted.way !== "overlay") return;
      try {
        chmodSync(join(mounted.layer, "work/work"), 0o700);
      } catch {
        // Never mounted since it was made.
      }
    },

    /** Copies what is mounted into the project's folder itself, so that it runs there without Treadle. */
    async materialise(): Promise<void> {
      if (!mounted) return;
      const { tree, layer, way } = mounted;
      // No process of the project is running, so the removal affects only the layer. Files that the project left
      // below the mount would otherwise be written through.
      await removeTree(modules);
      if (way === "overlay") await copyMerged(layer, tree.modules, modules);
      else
        await run("sh", ["-c", `${COPY} "$1" "$2"`, "copy", join(layer, "clone"), modules], {
          env: LAUNCH_ENV,
        });
      forget();
      await removeTree(join(stateDirectory, "layers"));
    },
  };
}

export type Dependencies = ReturnType<typeof createDependencies>;

/** A layer's own whiteouts only make sense to overlay, so the merged view is what is copied. */
async function copyMerged(layer: string, lower: string, target: string): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const own = isRoot ? "" : ",userxattr";
  const script = `set -e; view=$(mktemp -d); mount -t overlay overlay -o "lowerdir=$1:$2${own}" "$view"; ${COPY} "$view" "$3"; umount "$view"; rmdir "$view"`;
  const unshare = isRoot ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
  const words = [escapeLayer(join(layer, "upper")), escapeLayer(lower), target];
  await run(
    "unshare",
    [...unshare, "--propagation", "private", "sh", "-c", script, "copy", ...words],
    { env: { ...LAUNCH_ENV, TMPDIR: layer } },
  );
}

/** What of a node_modules are packages, sorted; `.bin`, `.vite` and the like are not. */
async function packageNames(
  names: string[],
  inScope: (scope: string) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    if (name.startsWith(".")) continue;
    if (!name.startsWith("@")) found.push(name);
    else for (const below of await inScope(name)) found.push(`${name}/${below}`);
  }
  return found.sort();
}
