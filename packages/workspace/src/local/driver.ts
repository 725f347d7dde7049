import { execFile } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Resolve } from "../egress/public-address.ts";
import { readRegistryConfig } from "../egress/registry-config.ts";
import { listTemplates, readTemplate } from "../templates/templates.ts";
import { WorkspaceError, type Workspace, type WorkspaceDriver } from "../types.ts";
import { findInstallation } from "./installation.ts";
import { sweepLeftovers } from "./leftovers.ts";
import { withLock } from "./preparation-lock.ts";
import { createPreparedTrees, readWanted, type Wanted } from "./prepared-trees.ts";
import { probeMachine } from "./probe.ts";
import { openLocalWorkspace } from "./workspace.ts";

const run = promisify(execFile);

/** npm may take this long for a template's dependencies on a slow line. */
const PREPARE_MS = 10 * 60_000;

export interface LocalDriverOptions {
  /** Where prepared dependencies are kept: absolute, on the host. */
  cacheDirectory: string;
  /** The server's environment: npm's settings are read from it. */
  env: Record<string, string | undefined>;
  unsafeNoSandbox?: boolean;
  /** What hosts' names stand for when something inside wants to reach them; tests put a resolver of their own here. */
  resolve?: Resolve;
  onNotice?: (text: string) => void;
}

/** The `local` driver: bubblewrap on Linux, or with `unsafeNoSandbox` nothing at all. */
export function createLocalDriver(options: LocalDriverOptions): WorkspaceDriver {
  const installation = findInstallation();
  sweepLeftovers(options.cacheDirectory);
  const registry = readRegistryConfig(options.env);
  const plain = options.unsafeNoSandbox ?? false;
  const trees = createPreparedTrees(join(options.cacheDirectory, "trees"));
  const open = new Map<string, Promise<Workspace>>();
  let preparing: Promise<void> | undefined;
  /** The template that is being prepared just now: who wants the same waits for it rather than fetch it twice. */
  let underWay: { wanted: Wanted; done: Promise<void> } | undefined;

  const driver: WorkspaceDriver = {
    name: plain ? "none" : "local",
    probe: () => probeMachine(installation, registry),

    async open(wanted) {
      if (!existsSync(join(installation.guest, "guest.mjs")))
        throw new WorkspaceError("sandbox", "Treadle is not built: run npm run build");
      const there = open.get(wanted.project);
      if (there) return there;
      const opening = openLocalWorkspace(wanted, {
        installation,
        registry,
        ...(options.resolve && { resolve: options.resolve }),
        trees,
        async whenPrepared(wanted) {
          if (underWay && sameNames(underWay.wanted, wanted)) await underWay.done;
        },
        plain,
        onClosed: () => open.delete(wanted.project),
      });
      open.set(wanted.project, opening);
      opening.catch(() => open.delete(wanted.project));
      return opening;
    },

    prepareTemplates(onProgress = () => {}) {
      preparing ??= prepareAll(onProgress).finally(() => (preparing = undefined));
      return preparing;
    },

    async close() {
      const all = await Promise.allSettled(open.values());
      await Promise.all(
        all.map((result) => (result.status === "fulfilled" ? result.value.stop() : undefined)),
      );
    },
  };

  /** One after the other: they would only compete for the same line and the same disk. */
  async function prepareAll(onProgress: (text: string) => void): Promise<void> {
    for (const name of listTemplates()) {
      const files = readTemplate(name);
      const manifest = files.find(({ path }) => path === "package.json")?.content;
      const lock = files.find(({ path }) => path === "package-lock.json")?.content;
      const wanted = manifest === undefined ? undefined : readWanted(manifest);
      if (!wanted || trees.find(wanted, lock)) continue;
      onProgress(`Preparing the ${name} template…`);
      const done = withLock(
        join(options.cacheDirectory, "preparing", `${name}.lock`),
        () => trees.find(wanted, lock) !== undefined,
        () => prepareOne(name, files, wanted),
      );
      underWay = { wanted, done: done.catch(() => undefined) };
      await done.finally(() => (underWay = undefined));
    }
  }

  /** Installs with the real npm, in a sandbox like any project's, and keeps what came of it. */
  async function prepareOne(
    name: string,
    files: { path: string; content: string }[],
    wanted: Wanted,
  ): Promise<void> {
    const folder = join(options.cacheDirectory, "preparing", `${name}-${process.pid}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const workspace = await driver.open({
      project: `prepare-${name}-${process.pid}`,
      directory: join(folder, "files"),
      stateDirectory: join(folder, "state"),
    });
    try {
      for (const { path, content } of files) await workspace.files.write(path, content);
      const install = await workspace.run(
        'exec "$TREADLE_NODE" "$TREADLE_NPM/bin/npm-cli.js" install',
        {
          timeoutMs: PREPARE_MS,
          quietMs: PREPARE_MS,
        },
      );
      if (install.kind !== "exited" || install.code !== 0)
        throw new WorkspaceError(
          "failed",
          `the ${name} template could not be prepared: ${install.output.slice(-600)}`,
        );
      // Vite's optimised dependencies belong to the tree as much as the packages do: made once, at this very path.
      if (wanted.devDependencies.vite ?? wanted.dependencies.vite)
        await workspace.run("node_modules/.bin/vite optimize", { timeoutMs: 60_000 });
      const lock = Buffer.from((await workspace.files.read("package-lock.json")).bytes).toString();
      await workspace.stop();
      const modules = join(folder, "files", "node_modules");
      // An install script might have put a link there, and what follows is done by the server's own user.
      if (!lstatSync(modules).isDirectory())
        throw new WorkspaceError("failed", `the ${name} template's packages are no folder`);
      // Owned by nobody who runs in a sandbox; open to all who see it, which are overlays alone: a project may then
      // change its own view of any file, and what it changes lands in its own layer.
      await run("chmod", ["-R", "a+rwX", modules]);
      if (process.getuid?.() === 0) await run("chown", ["-R", "-h", "0:0", modules]);
      trees.add(wanted, modules, lock);
    } finally {
      await workspace.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  return driver;
}

function sameNames(a: Wanted, b: Wanted): boolean {
  const names = ({ dependencies, devDependencies }: Wanted) =>
    [...Object.keys(dependencies), "", ...Object.keys(devDependencies)].sort().join("\n");
  return names(a) === names(b);
}
