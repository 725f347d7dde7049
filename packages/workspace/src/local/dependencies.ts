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
import { WorkspaceError } from "../types.ts";
import type { LaunchedGuest } from "./start-guest.ts";
import { readWanted, type PreparedTree, type PreparedTrees } from "./prepared-trees.ts";
import { removeTree } from "./remove-tree.ts";
import { escapeLayer, LAUNCH_ENV, overlayOptions, type Bind } from "./sandbox-command.ts";

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

  /** Acts in the launcher's namespace; what it mounts reaches the running sandbox by propagation. 4 ms. */
  async function atStage(link: LaunchedGuest, act: string, ...words: string[]): Promise<void> {
    const enter = ["-t", String(link.pid), "-m"];
    if (process.getuid?.() !== 0) enter.push("-U", "--preserve-credentials");
    // By the stage, not by the project's path: only mounts below the shared bind are seen inside.
    const script = `for place in /mnt/0 /media/0 /srv/0 /opt/0; do if mountpoint -q "$place"; then ${act}; fi; done; exit 1`;
    await run("nsenter", [...enter, "sh", "-c", script, "mount", ...words], { env: LAUNCH_ENV });
  }

  /** Makes the folder that is mounted over, by the guest, so that no link is followed; then mounts. */
  async function mount(link: LaunchedGuest, layer: string, tree: PreparedTree): Promise<void> {
    await link.request("write", { path: "node_modules/.keep" }, new Uint8Array());
    await link.request("remove", { path: "node_modules/.keep" });
    // Into the folder that was entered and looked at, not by its name: the project could put a link there in between.
    const act =
      'cd -P "$place/node_modules" && [ "$(pwd -P)" = "$place/node_modules" ] && exec mount -c -t overlay overlay -o "$1" .';
    await atStage(link, act, layerOptions(layer, tree));
  }

  /** Takes the mount away, also from under programs that still have files of it open, and the layer with it. */
  async function unmount(link: LaunchedGuest, { layer }: Mounted): Promise<void> {
    await atStage(link, 'exec umount -l -c "$place/node_modules"');
    mounted = undefined;
    rmSync(record, { force: true });
    await removeTree(layer);
  }

  /** Names of the packages that are there, those of scopes with their scope. */
  async function present(link: LaunchedGuest): Promise<string[]> {
    const list = async (path: string) =>
      (await link.request("list-raw", { path })).result as string[];
    return packageNames(await list("node_modules"), (scope) => list(`node_modules/${scope}`));
  }

  return {
    /** Whether the project's node_modules is a mount. */
    get mounted(): boolean {
      return mounted !== undefined;
    },

    /** Mounts again what was mounted when the workspace was last stopped. */
    async restore(link: LaunchedGuest): Promise<void> {
      if (!mounted || options.plain) return;
      try {
        await mount(link, mounted.layer, mounted.tree);
      } catch {
        // A link or a file in its place, or a machine that mounts no more: npm has to install.
        mounted = undefined;
        rmSync(record, { force: true });
      }
    },

    /**
     * Puts the dependencies in place that package.json asks for, where they are prepared.
     * @returns the tree, or undefined where npm has to do it
     */
    async satisfy(
      link: LaunchedGuest,
      manifest: string,
      lock: string | undefined,
    ): Promise<PreparedTree | undefined> {
      const wanted = readWanted(manifest);
      const tree = wanted && trees.find(wanted, lock);
      if (!tree) return undefined;
      const there = await present(link);
      // `rm -rf node_modules` empties a mount and cannot do more; what is wanted then is to begin anew.
      if (mounted && there.length === 0) await unmount(link, mounted);
      if (mounted?.key === tree.key) {
        // With a package gone or one too many, npm knows better than "all is there".
        const whole = await packageNames(await readdir(tree.modules), (scope) =>
          readdir(join(tree.modules, scope)),
        );
        return whole.join("\n") === there.join("\n") ? tree : undefined;
      }
      // A tree over another one, or over what npm has installed: leave it to npm, which knows what to take away.
      if (mounted || there.length > 0) return undefined;
      if (options.plain) {
        await run("cp", ["-a", tree.modules, modules]);
        return tree;
      }
      // A name of its own each time: one that was just unmounted may still be in use.
      const layers = join(stateDirectory, "layers");
      mkdirSync(layers, { recursive: true });
      const layer = mkdtempSync(join(layers, `${tree.key}-`));
      for (const part of ["upper", "work"]) {
        mkdirSync(join(layer, part));
        if (process.getuid?.() === 0) chownSync(join(layer, part), uid, uid);
      }
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

    /** To be called when nothing is mounted any more: whoever owns the layer can then remove it by usual means. */
    release(): void {
      if (!mounted || options.plain) return;
      try {
        chmodSync(join(mounted.layer, "work/work"), 0o700);
      } catch {
        // Never mounted since it was made.
      }
    },

    /** Copies what is mounted into the project's folder itself, so that it runs there without Treadle. */
    async materialise(): Promise<void> {
      if (!mounted || options.plain) return;
      const { tree, layer } = mounted;
      // Nothing of the project runs any more, so what is removed is what is written to; whatever the project left below
      // the mount would otherwise be written through.
      await removeTree(modules);
      // The layer's own whiteouts only make sense to overlay, so the merged view is what is copied.
      const own = process.getuid?.() === 0 ? "" : ",userxattr";
      const script = `set -e; view=$(mktemp -d); mount -t overlay overlay -o "lowerdir=$1:$2${own}" "$view"; cp -a --no-preserve=ownership "$view" "$3"; umount "$view"; rmdir "$view"`;
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
          escapeLayer(join(layer, "upper")),
          escapeLayer(tree.modules),
          modules,
        ],
        { env: { ...LAUNCH_ENV, TMPDIR: layer } },
      );
      mounted = undefined;
      rmSync(record, { force: true });
      await removeTree(join(stateDirectory, "layers"));
    },
  };
}

export type Dependencies = ReturnType<typeof createDependencies>;

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
