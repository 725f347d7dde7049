import { execFile } from "node:child_process";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { WorkspaceError } from "../types.ts";
import type { GuestLink } from "./guest-link.ts";
import { readWanted, type PreparedTree, type PreparedTrees } from "./prepared-trees.ts";
import { LAUNCH_ENV, overlayOptions, type Bind } from "./sandbox-command.ts";

const run = promisify(execFile);

/** What is mounted at the project's node_modules, remembered so that it is there again at the next start. */
interface Mounted {
  key: string;
  layer: string;
}

/**
 * A project's dependencies: a prepared tree below, a layer of the project's own above it. What the project writes into
 * node_modules lands in its layer; the tree is never writable by anybody.
 */
export function createDependencies(options: {
  trees: PreparedTrees;
  directory: string;
  stateDirectory: string;
  uid: number;
  /** Without a sandbox nothing can be mounted: the tree is copied instead. */
  plain: boolean;
}) {
  const { trees, directory, stateDirectory, uid } = options;
  const modules = join(directory, "node_modules");
  const record = join(stateDirectory, "dependencies.json");
  let mounted = read();

  function read(): (Mounted & { tree: PreparedTree }) | undefined {
    try {
      const kept = JSON.parse(readFileSync(record, "utf8")) as Mounted;
      const tree = trees.all().find(({ key }) => key === kept.key);
      return tree && existsSync(kept.layer) ? { ...kept, tree } : undefined;
    } catch {
      return undefined;
    }
  }

  const layerOptions = (layer: string, tree: PreparedTree) =>
    overlayOptions([tree.modules], join(layer, "upper"), join(layer, "work"));

  /** Mounts into the launcher's namespace; the mount reaches the running sandbox by propagation. 4 ms. */
  async function mount(link: GuestLink, layer: string, tree: PreparedTree): Promise<void> {
    const enter = ["-t", String(link.pid), "-m"];
    if (process.getuid?.() !== 0) enter.push("-U", "--preserve-credentials");
    // Into the folder that was entered and looked at, not by its name: the project could put a link there in between.
    // By the stage, not by the project's path: only mounts below the shared bind are seen inside.
    const script =
      'for place in /mnt/0 /media/0 /srv/0 /opt/0; do if mountpoint -q "$place"; then cd -P "$place/node_modules" && [ "$(pwd -P)" = "$place/node_modules" ] && exec mount -c -t overlay overlay -o "$1" .; fi; done; exit 1';
    await run("nsenter", [...enter, "sh", "-c", script, "mount", layerOptions(layer, tree)], {
      env: LAUNCH_ENV,
    });
  }

  return {
    /** Whether the project's node_modules is a mount. */
    get mounted(): boolean {
      return mounted !== undefined;
    },

    /** Mounts again what was mounted when the workspace was last stopped. */
    async restore(link: GuestLink): Promise<void> {
      if (!mounted || options.plain) return;
      mkdirSync(modules, { recursive: true });
      try {
        await mount(link, mounted.layer, mounted.tree);
      } catch {
        mounted = undefined;
        rmSync(record, { force: true });
      }
    },

    /**
     * Puts the dependencies in place that package.json asks for, where they are prepared.
     * @returns the tree, or undefined where npm has to do it
     */
    async satisfy(
      link: GuestLink,
      manifest: string,
      lock: string | undefined,
    ): Promise<PreparedTree | undefined> {
      const wanted = readWanted(manifest);
      const tree = wanted && trees.find(wanted, lock);
      if (!tree) return undefined;
      if (mounted?.key === tree.key) return tree;
      // A tree over another one, or over what npm has installed: leave it to npm, which knows what to take away.
      if (mounted || (await hasModules(link))) return undefined;
      if (options.plain) {
        await run("cp", ["-a", tree.modules, modules]);
        return tree;
      }
      const layer = join(stateDirectory, "layers", tree.key);
      for (const part of ["upper", "work"]) {
        mkdirSync(join(layer, part), { recursive: true });
        if (process.getuid?.() === 0) chownSync(join(layer, part), uid, uid);
      }
      await link.request("write", { path: "node_modules/.keep" }, new Uint8Array());
      await link.request("remove", { path: "node_modules/.keep" });
      try {
        await mount(link, layer, tree);
      } catch (error) {
        throw new WorkspaceError(
          "sandbox",
          `the prepared dependencies could not be mounted: ${(error as Error).message}`,
        );
      }
      mounted = { key: tree.key, layer, tree };
      writeFileSync(record, JSON.stringify({ key: tree.key, layer } satisfies Mounted));
      return tree;
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
      const lower = [join(mounted.layer, "upper"), mounted.tree.modules];
      return [
        {
          source: mounted.tree.modules,
          target: `${target}/node_modules`,
          writable: true,
          overlay: { lower, upper, work },
        },
      ];
    },

    /** Copies what is mounted into the project's folder itself, so that it runs there without Treadle. */
    async materialise(): Promise<void> {
      if (!mounted || options.plain) return;
      const { tree, layer } = mounted;
      // Nothing of the project runs any more, so what is looked at is what is written to.
      const there = lstatSync(modules, { throwIfNoEntry: false });
      if (there && !there.isDirectory()) rmSync(modules);
      // The layer's own whiteouts only make sense to overlay, so the merged view is what is copied.
      const script = `set -e; view=$(mktemp -d); work=$(mktemp -d -p "$3"); mount -t overlay overlay -o "lowerdir=$1:$2" "$view"; mkdir -p "$4"; cp -a --no-preserve=ownership "$view/." "$4/"; umount "$view"; rmdir "$view" "$work"`;
      const unshare =
        process.getuid?.() === 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
      await run(
        "unshare",
        [
          ...unshare,
          "--propagation",
          "private",
          "sh",
          "-c",
          script,
          "copy",
          join(layer, "upper"),
          tree.modules,
          layer,
          modules,
        ],
        { env: { ...LAUNCH_ENV, TMPDIR: layer } },
      );
      mounted = undefined;
      rmSync(record, { force: true });
      rmSync(join(stateDirectory, "layers"), { recursive: true, force: true });
    },
  };
}

export type Dependencies = ReturnType<typeof createDependencies>;

async function hasModules(link: GuestLink): Promise<boolean> {
  const { result } = await link.request("list-raw", { path: "node_modules" });
  return (result as string[]).some((name) => name !== ".vite" && name !== ".cache");
}
