import { sentence } from "@treadle/protocol/sentences";
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
/** Written and removed again, so that the folder exists. */
const KEEP = toProjectPath("node_modules/.keep");

/**
 * Describes the mount at the project's node_modules; stored so that the next start can restore it.
 */
interface Kept {
  key: string;
  /** Contains `upper` and `work` of an overlay, or `clone`. */
  layer: string;
  way: TreeMount;
  /** To prepare the tree again if it has been removed. */
  order: TreeOrder;
}

type Mounted = Kept & { tree: PreparedTree; release(): void };

/**
 * Copies files as if they were new, with at most 0755 and 0644 and without setuid or setgid bits
 * from the first moment on. The tree's own permissions do not apply to a person's folder.
 */
const COPY = "umask 022; cp -RP --preserve=timestamps,links";

const UNMOUNT = 'exec umount -l -c "$place/node_modules"';

/**
 * A project's dependencies: a prepared tree below a layer of the project's own. The project's
 * writes to node_modules go to its layer; nobody can ever write to the tree.
 */
export function createDependencies(options: {
  trees: PreparedTrees;
  /** Prepares a tree again that was removed to stay within the size limit. */
  remake(order: TreeOrder): Promise<PreparedTree | undefined>;
  way(): Promise<TreeMount>;
  directory: string;
  stateDirectory: string;
  uid: number;
  /** Nothing can be mounted without a sandbox: the tree is copied instead. */
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

  /** Creates the mount point through the guest, so that no link is followed; then mounts. */
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

  /**
   * Creates a layer for a tree, each time with a new name: one that was just unmounted may still be
   * in use.
   */
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

  /** Names of the installed packages, including scopes. */
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

    /** Whether exactly the packages of the mounted tree are present. */
    async isWhole(link: LaunchedGuest): Promise<boolean> {
      if (!mounted) return false;
      const { modules } = mounted.tree;
      const names = await packageNames(await readdir(modules), (scope) =>
        readdir(join(modules, scope)),
      );
      return names.join("\n") === (await present(link)).join("\n");
    },

    /** Restores the mount from when the workspace was last stopped. */
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
        // There is a link or a file in its place, or the machine can no longer mount anything: the package manager has
        // to install.
        forget();
      }
    },

    /**
     * Mounts a tree where nothing is mounted.
     * @throws WorkspaceError `missing` if the tree was removed meanwhile, `sandbox` if the machine supports no method
     */
    async place(link: LaunchedGuest, tree: PreparedTree): Promise<TreeMount> {
      const release = trees.hold(tree);
      if (!release) throw new WorkspaceError("missing", sentence("dependencies-removed"));
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
        sentence("dependencies-not-placed", { why: problem.trim() }),
      );
    },

    /** Removes the mount, even if programs still have files of it open, and the layer. */
    async clear(link: LaunchedGuest): Promise<void> {
      if (!mounted) return;
      const { layer } = mounted;
      await inMountNamespace(link, UNMOUNT);
      forget();
      await removeTree(layer);
    },

    /**
     * The mounts that give a temporary copy of the project at `target` the same dependencies, below a temporary upper
     * layer; none if nothing is mounted.
     */
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

    /**
     * Call when nothing is mounted any more. The tree may be removed then, and the layer's owner can remove the layer
     * with ordinary tools.
     */
    release(): void {
      mounted?.release();
      if (!mounted || mounted.way !== "overlay") return;
      try {
        chmodSync(join(mounted.layer, "work/work"), 0o700);
      } catch {
        // It has not been mounted since its creation.
      }
    },

    /** Copies the mounted packages into the project's folder, so that it runs without Treadle. */
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

/** Only overlay understands a layer's whiteouts, so the merged view is copied. */
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

/** The names of packages in a node_modules, sorted, without `.bin`, `.vite` and the like. */
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
