import { sentence } from "@treadle/protocol/sentences";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunGit } from "../checkpoints/git-store.ts";
import {
  createOpenCopies,
  type CopyPlace,
  type ProjectCopies,
} from "../guest-workspace/open-copies.ts";
import { SANDBOX_PLACES } from "../guest-workspace/sandbox-environment.ts";
import { openGuestWorkspace } from "../guest-workspace/workspace.ts";
import { giveTo } from "../host/ownership.ts";
import { WorkspaceError, type OpenOptions } from "../types.ts";
import { startContainerSandbox, type ContainerSandboxSettings } from "./sandbox.ts";
import type { ContainerBind, ContainerUser, ProjectContainer } from "./types.ts";

type SandboxParts = Omit<
  ContainerSandboxSettings,
  | "container"
  | "stateDirectory"
  | "keptRepositories"
  | "reachable"
  | "onMessage"
  | "onRefused"
  | "mayInstall"
  | "onLimit"
  | "onNear"
  | "diskAllowance"
>;

/**
 * Copies of one project, each in a separate container. A container cannot mount layers, so each
 * copy is filled with the project's files at its start, which takes time in proportion to their
 * size.
 */
export function createContainerCopies(
  options: OpenOptions,
  parts: SandboxParts & {
    container: ProjectContainer;
    /** Mounts that every container of the project has. */
    accounts: readonly ContainerBind[];
    /** The project's cache on this machine. */
    cache: string;
    /**
     * The owner of folders that a container writes to; undefined if they already belong to that
     * user.
     */
    giveTo: ContainerUser | undefined;
    git: RunGit;
    gitDirectory: string;
  },
): ProjectCopies {
  async function openIn(place: CopyPlace) {
    const { project, scratch, stateDirectory, database, settings, how, fill, remove } = place;
    const isShared = how.clean && !how.fetchesAnew;
    const cache = isShared ? parts.cache : join(scratch, "cache");
    if (!isShared) {
      mkdirSync(cache);
      if (parts.giveTo) await giveTo(cache, parts.giveTo);
    }
    return openGuestWorkspace(
      { ...options, project, stateDirectory, settings },
      {
        isThrownAway: true,
        async start(events) {
          const sandbox = await startContainerSandbox({
            ...parts,
            ...(database && { database: (connection) => database.take(connection) }),
            stateDirectory,
            keptRepositories: [],
            isCopy: { isClean: how.clean },
            container: {
              ...parts.container,
              project,
              binds: [
                ...parts.accounts,
                { source: cache, target: `${SANDBOX_PLACES.home}/.cache`, writable: true },
              ],
            },
            ...events,
          });
          try {
            await fill(sandbox);
          } catch (error) {
            await sandbox.end();
            throw error;
          }
          return sandbox;
        },
        install: (_, { manager, args }) => Promise.resolve({ act: "run", manager, args }),
        prove: () => Promise.reject(new WorkspaceError("failed", sentence("copy-not-proven"))),
        openRoot: () => undefined,
        git: parts.git,
        gitDirectory: parts.gitDirectory,
        async close() {
          await remove();
          return [];
        },
      },
    );
  }

  return createOpenCopies(options, openIn);
}
