import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { GiveWay } from "../dependencies/give-way.ts";
import type { PreparedTrees } from "../dependencies/prepared-trees.ts";
import type { FetchedManagers } from "../dependencies/fetched-managers.ts";
import type { TreeMaker, TreeOrder } from "../dependencies/tree-maker.ts";
import type { RegistryConfig, ResolveHost } from "@treadle/egress";
import type { createDiskWatch } from "../limits/disk-watch.ts";
import type { ResourceLimits } from "../limits/limits.ts";
import { proveInCopy } from "../guest-workspace/prove-in-copy.ts";
import { secretKey } from "../guest-workspace/sandbox-environment.ts";
import { openGuestWorkspace } from "../guest-workspace/workspace.ts";
import { guardRepositories } from "../repositories/guard-repositories.ts";
import type { OpenOptions, Workspace } from "../types.ts";
import { answerInstall, isAsLocked, type InstallParts } from "./answer-install.ts";
import { inMountNamespace, bindInto } from "./in-mount-namespace.ts";
import { storeFolder } from "../checkpoints/take-over.ts";
import { createDependencies } from "./project-dependencies.ts";
import { createGitSandbox } from "./git-sandbox.ts";
import type { Installation } from "../host/installation.ts";
import { noteOpenToAll } from "../host/open-to-all.ts";
import { giveBack, giveTo, lendTo, ownerOf } from "../host/ownership.ts";
import { prove } from "./prove.ts";
import { removeLeftCopies } from "../guest-workspace/open-copies.ts";
import { createProjectCopies } from "./project-copies.ts";
import { removeTree } from "../remove-tree.ts";
import { sandboxUid } from "../host/sandbox-uid.ts";
import { startSandbox, type LocalSandbox } from "./sandbox.ts";
import type { TreeMount } from "./tree-mounts.ts";

export interface LocalWorkspaceParts {
  installation: Installation;
  registry: RegistryConfig;
  /** Replaced in tests. */
  resolve?: ResolveHost;
  trees: PreparedTrees;
  tools: FetchedManagers;
  maker: TreeMaker;
  way(): Promise<TreeMount>;
  plain: boolean;
  limits: ResourceLimits;
  controlGroups: boolean;
  watchDisk: ReturnType<typeof createDiskWatch>;
  /** Makes Treadle's background work wait while the project works. */
  giveWay?: GiveWay;
  /** Makes a tree once no project is working. Does not fail. */
  makeLater?(order: TreeOrder): void;
  /**
   * Treadle's own work: installs by an install script in the sandbox are not answered, since that would take another
   * sandbox.
   */
  forTrees?: boolean;
  onClosed(): void;
}

/** Opens a workspace on this machine, in bubblewrap or (`plain`) without a sandbox. */
export async function openLocalWorkspace(
  options: OpenOptions,
  parts: LocalWorkspaceParts,
): Promise<Workspace> {
  const { project, directory, stateDirectory } = options;
  const { installation, registry, plain } = parts;
  const uid = plain ? (process.getuid?.() ?? 1000) : sandboxUid(project);
  const giveAway = process.getuid?.() === 0 && !plain;
  for (const folder of [directory, stateDirectory])
    mkdirSync(folder, { recursive: true, mode: 0o755 });
  secretKey(stateDirectory, options.secretKey);
  const owner = ownerOf(directory, stateDirectory);
  for (const name of readdirSync(stateDirectory))
    if (name.startsWith("prove-")) await removeTree(join(stateDirectory, name));
  await removeLeftCopies(stateDirectory);
  const repositories = await guardRepositories({
    directory,
    stateDirectory,
    handBack: options.handBack ?? false,
    mounts: !plain,
  });
  const openToAll = options.handBack ? await noteOpenToAll(directory, stateDirectory) : undefined;
  const gitDirectory = storeFolder(stateDirectory);
  mkdirSync(gitDirectory, { recursive: true });
  if (giveAway) {
    const user = { uid, gid: uid };
    // In a personal folder, the person's git keeps working while the project is open.
    const personsRepositories = repositories.persons;
    if (options.handBack)
      await lendTo(directory, user, { owner, personsRepositories, stateDirectory });
    else await giveTo(directory, user);
    for (const folder of [gitDirectory, repositories.own]) if (folder) await giveTo(folder, user);
  }

  const place = { directory, stateDirectory, uid, plain };
  const { trees, tools, maker, way, limits, controlGroups, watchDisk } = parts;
  const dependenciesIn = (state: string) =>
    createDependencies({
      trees,
      async remake(order) {
        const made = await maker.make(order);
        return "tree" in made ? made.tree : undefined;
      },
      way,
      ...place,
      stateDirectory: state,
    });
  const dependencies = dependenciesIn(stateDirectory);

  const sandbox = {
    directory,
    uid,
    tools: tools.folder,
    installation,
    registry,
    limits,
    controlGroups,
    watchDisk,
    resolve: parts.resolve,
    database: options.database,
  };
  const git = createGitSandbox({ ...place, gitDirectory });

  // Each preparation takes a sandbox beside the project's, so only one runs at a time.
  let making: Promise<unknown> = Promise.resolve();
  const ownMaker: TreeMaker = {
    ...maker,
    make(order, signal) {
      const made = making.then(() => {
        signal?.throwIfAborted();
        return maker.make(order, signal);
      });
      making = made.catch(() => undefined);
      return made;
    },
  };

  // Without a sandbox, install scripts would run as the server's user, for a project that never
  // requested them.
  const shared = {
    trees,
    tools,
    maker: plain ? undefined : ownMaker,
    makeLater: plain ? undefined : parts.makeLater,
  };
  /**
   * If a package may be refused, only trees that Treadle chose itself are mounted: any other package has to come
   * through the project's own registry.
   */
  const installing = async (): Promise<Omit<InstallParts, "dependencies">> => {
    const isGuarded = (await options.mayInstall?.({})) === false;
    if (!isGuarded) return shared;
    const ofTemplates = trees.shared().filter(({ from }) => from === "template");
    return { tools, trees: { ...trees, shared: () => ofTemplates } };
  };
  const copies = plain
    ? undefined
    : createProjectCopies(options, {
        ...sandbox,
        dependencies,
        ownDependencies: dependenciesIn,
        install: async (copy, asked, call, own) =>
          answerInstall(copy, asked, call, { ...(await installing()), dependencies: own }),
        git,
        gitDirectory,
      });

  // Without a sandbox the database cannot be offered.
  const opened = plain ? { ...options, database: undefined } : options;
  const workspace = await openGuestWorkspace<LocalSandbox>(opened, {
    isThrownAway: parts.forTrees ?? false,
    async start(events) {
      const started = await startSandbox({
        ...sandbox,
        project,
        stateDirectory,
        plain,
        repositories: await repositories.prepare(),
        ...events,
      });
      try {
        await dependencies.restore(started);
      } catch (error) {
        await started.end();
        throw error;
      }
      return started;
    },
    install: async (sandbox, asked, call) =>
      parts.forTrees
        ? { act: "run", manager: asked.manager, args: asked.args }
        : answerInstall(sandbox, asked, call, { ...(await installing()), dependencies }),
    prove: (command, proveOptions, inside, reach) =>
      plain
        ? proveInCopy(
            { stateDirectory, start: (script, env) => inside(script, { env }) },
            command,
            proveOptions,
          )
        : prove(
            {
              ...place,
              repository: repositories.own,
              tools: tools.folder,
              installation,
              dependencies,
              limits,
              controlGroups,
              ways: {
                registry,
                ...reach,
                resolve: parts.resolve,
              },
            },
            command,
            proveOptions,
          ),
    isAsLocked: (sandbox) => isAsLocked(sandbox, dependencies),
    copy: copies ? (settings, data, how) => copies.open(settings, data, how) : undefined,
    openRoot: () => repositories.openRoot,
    coverRoot: (sandbox) => inMountNamespace(sandbox, bindInto(".git"), repositories.own!),
    git,
    gitDirectory,
    async close() {
      await copies?.close();
      dependencies.release();
      if (options.handBack) await dependencies.materialise();
      const setAside = await repositories.close();
      await openToAll?.close();
      if (options.handBack && giveAway && existsSync(directory))
        await giveBack(directory, owner, stateDirectory);
      parts.onClosed();
      return setAside;
    },
  });
  return parts.giveWay?.noting(workspace) ?? workspace;
}
