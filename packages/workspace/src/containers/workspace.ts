import { storeFolder } from "../checkpoints/take-over.ts";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RegistryConfig, ResolveHost } from "@treadle/egress";
import { SANDBOX_PLACES, secretKey } from "../guest-workspace/sandbox-environment.ts";
import { removeLeftCopies } from "../guest-workspace/open-copies.ts";
import { openGuestWorkspace } from "../guest-workspace/workspace.ts";
import type { createDiskWatch } from "../limits/disk-watch.ts";
import type { ResourceLimits } from "../limits/limits.ts";
import { noteOpenToAll } from "../host/open-to-all.ts";
import { closeDependencies, giveBack, giveTo, lendTo, ownerOf } from "../host/ownership.ts";
import { guardRepositories } from "../repositories/guard-repositories.ts";
import type { OpenOptions, Workspace } from "../types.ts";
import { createContainerCopies } from "./project-copies.ts";
import { createGitContainer, storeBinds } from "./git-container.ts";
import { proveInContainer } from "./prove.ts";
import { startContainerSandbox } from "./sandbox.ts";
import type { ContainerBind, ContainerEngine, ContainerUser } from "./types.ts";

export interface ContainerWorkspaceParts {
  engine: ContainerEngine;
  user: ContainerUser;
  registry: RegistryConfig;
  /** Replaced in tests. */
  resolve?: ResolveHost;
  limits: ResourceLimits;
  watchDisk: ReturnType<typeof createDiskWatch>;
  onClosed(): void;
}

/** Opens a workspace in containers of an engine that can access this machine's files. */
export async function openContainerWorkspace(
  options: OpenOptions,
  parts: ContainerWorkspaceParts,
): Promise<Workspace> {
  const { directory, stateDirectory } = options;
  const { engine, user, registry, resolve } = parts;
  const cache = join(stateDirectory, "cache");
  const gitDirectory = storeFolder(stateDirectory);
  for (const folder of [directory, stateDirectory, cache, gitDirectory])
    mkdirSync(folder, { recursive: true, mode: 0o755 });
  secretKey(stateDirectory, options.secretKey);
  await removeLeftCopies(stateDirectory);
  // If the server is root, its folders are given to the project's user; otherwise they already
  // belong to that user.
  const giveAway = process.getuid?.() === 0 && user.uid !== 0;
  const owner = giveAway ? ownerOf(directory, stateDirectory) : undefined;
  const repositories = await guardRepositories({
    directory,
    stateDirectory,
    handBack: options.handBack ?? false,
    mounts: true,
  });
  const openToAll = options.handBack ? await noteOpenToAll(directory, stateDirectory) : undefined;
  if (owner) {
    // In a personal folder, the person's git keeps working while the project is open.
    const personsRepositories = repositories.persons;
    if (options.handBack)
      await lendTo(directory, user, { owner, personsRepositories, stateDirectory });
    else await giveTo(directory, user);
    for (const folder of [cache, gitDirectory, repositories.own])
      if (folder) await giveTo(folder, user);
  }

  const accounts = writeAccounts(stateDirectory, user);
  const container = { project: options.project, user, limits: parts.limits };
  const git = createGitContainer(engine, { directory, gitDirectory, container });
  const copies = createContainerCopies(options, {
    engine,
    container,
    accounts,
    cache,
    giveTo: giveAway ? user : undefined,
    directory,
    watchDisk: parts.watchDisk,
    registry,
    resolve,
    database: options.database,
    git,
    gitDirectory,
  });

  return openGuestWorkspace(options, {
    async start(events) {
      const { binds, kept: personsRepositories } = await repositories.prepare();
      return startContainerSandbox({
        engine,
        container: {
          ...container,
          store: storeBinds({ directory, gitDirectory }),
          binds: [
            { source: directory, target: SANDBOX_PLACES.root, writable: true },
            ...binds.map(({ path, ...bind }) => ({
              ...bind,
              target: `${SANDBOX_PLACES.root}/${path}`,
            })),
            { source: cache, target: `${SANDBOX_PLACES.home}/.cache`, writable: true },
            ...accounts,
          ],
        },
        keptRepositories: personsRepositories,
        directory,
        stateDirectory,
        watchDisk: parts.watchDisk,
        registry,
        resolve,
        database: options.database,
        ...events,
      });
    },
    install: (_, { manager, args }) => Promise.resolve({ act: "run", manager, args }),
    prove: async (command, proveOptions) =>
      proveInContainer(
        engine,
        { directory, repository: repositories.own, container },
        command,
        proveOptions,
      ),
    openRoot: () => repositories.openRoot,
    copy: (settings, data, how) => copies.open(settings, data, how),
    git,
    gitDirectory,
    async close() {
      await copies.close();
      const setAside = await repositories.close();
      if (options.handBack) await closeDependencies(directory);
      await openToAll?.close();
      if (options.handBack && owner && existsSync(directory))
        await giveBack(directory, owner, stateDirectory);
      parts.onClosed();
      return setAside;
    },
  });
}

/**
 * Writes a passwd and a group file, and returns their mounts. The image contains one user; another one also needs a
 * name there, or programs that look it up fail.
 */
function writeAccounts(stateDirectory: string, { uid, gid }: ContainerUser): ContainerBind[] {
  if (uid === 1000 || uid === 0) return [];
  const files = {
    passwd: `root:x:0:0::/:/bin/false\nsandbox:x:${uid}:${gid}::${SANDBOX_PLACES.home}:/bin/bash\n`,
    group: `root:x:0:\nsandbox:x:${gid}:\n`,
  };
  return Object.entries(files).map(([name, text]) => {
    const source = join(stateDirectory, `container-${name}`);
    writeFileSync(source, text);
    return { source, target: `/etc/${name}` };
  });
}
