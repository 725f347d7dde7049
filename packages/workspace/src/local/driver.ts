import { sentence } from "@treadle/protocol/sentences";
import { onceDone } from "@treadle/protocol/lifecycle";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chooseTree } from "../dependencies/choose-tree.ts";
import { describeCache } from "../dependencies/describe-cache.ts";
import { createGiveWay } from "../dependencies/give-way.ts";
import { createPreparedTrees } from "../dependencies/prepared-trees.ts";
import { createFetchedManagers } from "../dependencies/fetched-managers.ts";
import { treeLimit } from "../dependencies/tree-limit.ts";
import { createTreeMaker, type TreeOrder } from "../dependencies/tree-maker.ts";
import { countOf, readWanted } from "../dependencies/wanted-packages.ts";
import type { ResolveHost } from "@treadle/egress";
import { readRegistryConfig } from "@treadle/egress";
import { createDiskWatch } from "../limits/disk-watch.ts";
import { lowered, readLimits, readPublishedLimits } from "../limits/limits.ts";
import { createWorkspaceLimit, describeWorkspaceLimit } from "../limits/workspace-limit.ts";
import { readTemplate, templatesToPrepare, type TemplateFile } from "../templates/templates.ts";
import {
  WorkspaceError,
  type OpenOptions,
  type PostgresOptions,
  type Workspace,
  type WorkspaceDriver,
} from "../types.ts";
import { findInstallation } from "../host/installation.ts";
import { sweepLeftovers } from "../host/leftovers.ts";
import { createFetchedPrograms } from "./own-postgres/fetch-programs.ts";
import { findPrograms } from "./own-postgres/find-programs.ts";
import { createPostgresServer } from "./own-postgres/postgres-server.ts";
import { probeMachine } from "./probe.ts";
import { probeMount, type TreeMount, type MountProbe } from "./tree-mounts.ts";
import { openLocalWorkspace } from "./workspace.ts";

export interface LocalDriverOptions {
  /** Absolute path of the host's folder for prepared dependencies. */
  cacheDirectory: string;
  /** The server's environment, from which npm's settings are read. */
  env: Record<string, string | undefined>;
  unsafeNoSandbox?: boolean;
  /** Resolves hosts' names for connections from a sandbox; replaced in tests. */
  resolve?: ResolveHost;
  /**
   * How prepared dependencies are mounted in projects; if absent, the best method that the machine
   * supports.
   */
  treeWay?: TreeMount;
  /** Milliseconds without work of any project before background work starts; replaced in tests. */
  quietMs?: number;
  /** Whether control groups are used if the machine has them; default true. Tests turn them off. */
  controlGroups?: boolean;
  onNotice?: (text: string) => void;
}

/** The `local` driver: bubblewrap on Linux, or with `unsafeNoSandbox` nothing at all. */
export function createLocalDriver(options: LocalDriverOptions): WorkspaceDriver {
  const installation = findInstallation();
  sweepLeftovers(options.cacheDirectory);
  const registry = readRegistryConfig(options.env);
  const plain = options.unsafeNoSandbox ?? false;
  const limits = readLimits(options.env);
  const publishedLimits = readPublishedLimits(options.env);
  const controlGroups = options.controlGroups ?? true;
  const watchDisk = createDiskWatch();
  const count = createWorkspaceLimit(options.env);
  const trees = createPreparedTrees(join(options.cacheDirectory, "trees"));
  const open = new Map<string, Promise<Workspace>>();
  let preparing: Promise<void> | undefined;
  let closed = false;
  const probeTrees = onceDone(findWay);
  const way = async () => (await probeTrees()).way;
  async function findWay(): Promise<MountProbe> {
    if (options.treeWay) return { way: options.treeWay };
    return plain ? { way: "copy", because: "no sandbox" } : probeMount(trees.folder);
  }
  const scratch = join(options.cacheDirectory, "preparing");
  const giveWay = createGiveWay(undefined, options.quietMs);
  // Preparation must not continue for minutes after the driver is closed.
  const openForTrees = async (options: OpenOptions) => {
    if (closed) throw new WorkspaceError("stopped", sentence("treadle-ending"));
    return openOnce(options, true);
  };
  const tools = createFetchedManagers({
    open: openForTrees,
    folder: join(options.cacheDirectory, "tools"),
    preparing: scratch,
  });
  const programs = createFetchedPrograms({
    open: openForTrees,
    folder: join(options.cacheDirectory, "postgres"),
    preparing: scratch,
  });
  const cacheLimit = treeLimit(options.env);
  const maker = createTreeMaker({
    trees,
    tools,
    open: openForTrees,
    folder: scratch,
    limit: cacheLimit,
    isOverlaid: async () => (await way()) === "overlay",
  });

  let later: Promise<unknown> = Promise.resolve();
  /**
   * Makes a tree once no project is working, so that the next identical install finds it. One at a time; a failure only
   * means that the next install runs again.
   */
  function makeLater(order: TreeOrder): void {
    later = later
      .then(async () => {
        await giveWay.whenQuiet();
        if (!closed) await maker.make(order);
      })
      .catch(() => undefined);
  }

  const driver: WorkspaceDriver = {
    name: plain ? "none" : "local",
    async probe() {
      const { ok, checks } = await probeMachine(installation, registry, limits, controlGroups);
      return {
        ok,
        checks: [
          ...checks,
          describeWorkspaceLimit(count),
          describeCache(await probeTrees(), trees.all(), cacheLimit),
        ],
      };
    },

    open: (options) => openOnce(options, false),

    prepareTemplates(onProgress = () => {}) {
      preparing ??= prepareAll(onProgress).finally(() => (preparing = undefined));
      return preparing;
    },

    ...(!plain && {
      servePostgres: (postgresOptions: PostgresOptions) =>
        createPostgresServer(postgresOptions, {
          installation,
          limits,
          controlGroups,
          env: options.env,
          fetched: programs,
        }),
      postgresPrograms: (major: number) => findPrograms(major, options.env, programs),
    }),

    async close() {
      closed = true;
      const all = await Promise.allSettled(open.values());
      // A failure to stop one must not prevent waiting for the others.
      const ended = await Promise.allSettled(
        all.map((result) => (result.status === "fulfilled" ? result.value.stop() : undefined)),
      );
      for (const result of ended) if (result.status === "rejected") throw result.reason;
    },
  };

  /** @param forTrees a sandbox for Treadle's own work, not for a project */
  async function openOnce(openOptions: OpenOptions, forTrees: boolean): Promise<Workspace> {
    if (!existsSync(join(installation.guest, "guest.mjs")))
      throw new WorkspaceError("sandbox", sentence("treadle-not-built"));
    const there = open.get(openOptions.project);
    if (there) return there;
    if (!forTrees) count.enter(openOptions.project);
    const forget = () => {
      open.delete(openOptions.project);
      count.leave(openOptions.project);
    };
    const opening = openLocalWorkspace(openOptions, {
      installation,
      registry,
      resolve: options.resolve,
      trees,
      tools,
      maker,
      way,
      plain,
      limits: lowered(openOptions.isPublished ? publishedLimits : limits, openOptions.limits),
      controlGroups,
      watchDisk,
      ...(forTrees ? { forTrees } : { giveWay, makeLater }),
      onClosed: forget,
    });
    open.set(openOptions.project, opening);
    opening.catch(forget);
    return opening;
  }

  /**
   * Prepares the templates one after the other, since they would compete for network and disk. A failure does not stop
   * the others; the first one is thrown at the end.
   */
  async function prepareAll(onProgress: (text: string) => void): Promise<void> {
    const failures: string[] = [];
    for (const name of templatesToPrepare(options.env)) {
      const files = readTemplate(name);
      const order = templateOrder(files);
      if (!order || isReady(order)) continue;
      await giveWay.whenQuiet();
      if (closed) return;
      onProgress(`Preparing the ${name} template…`);
      try {
        const made = await maker.make(order);
        if ("refused" in made) failures.push(`${name}: ${made.refused.output.slice(-600)}`);
        if ("scattered" in made) failures.push(`${name}: its workspaces share no one node_modules`);
      } catch (error) {
        failures.push(`${name}: ${(error as Error).message}`);
      }
    }
    if (failures[0] !== undefined)
      throw new WorkspaceError("failed", sentence("templates-not-prepared", { why: failures[0] }));
  }

  const isReady = (order: TreeOrder): boolean => {
    const found = chooseTree(trees.shared(), order);
    return found?.part === "whole" && found.tree.from === "template";
  };

  return driver;
}

/** The packages of a template; undefined if it has none that can be prepared. */
function templateOrder(files: readonly TemplateFile[]): TreeOrder | undefined {
  const text = (name: string) => files.find(({ path }) => path === name)?.content;
  const manifest = text("package.json");
  const workspaces = new Map(
    files.flatMap(({ path, content }) => {
      const [, folder] = /^(.+)\/package\.json$/.exec(path) ?? [];
      return folder === undefined ? [] : [[folder, content] as const];
    }),
  );
  const reading = manifest === undefined ? undefined : readWanted(manifest, workspaces);
  if (!reading || "left" in reading || countOf(reading.wanted) === 0) return undefined;
  const lock = text("package-lock.json");
  return { manager: "npm", wanted: reading.wanted, lock, from: "template", files };
}
