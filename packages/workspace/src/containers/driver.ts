import { sentence } from "@treadle/protocol/sentences";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRegistryConfig, type ResolveHost } from "@treadle/egress";
import type { Installation } from "../host/installation.ts";
import { sweepLeftovers } from "../host/leftovers.ts";
import { createDiskWatch } from "../limits/disk-watch.ts";
import { lowered, readLimits, readPublishedLimits, type ResourceLimits } from "../limits/limits.ts";
import { createWorkspaceLimit } from "../limits/workspace-limit.ts";
import {
  WorkspaceError,
  type OpenOptions,
  type Workspace,
  type WorkspaceDriver,
} from "../types.ts";
import type { ContainerEngine, ContainerUser } from "./types.ts";
import { openContainerWorkspace } from "./workspace.ts";

export interface ContainerDriverOptions {
  /** Absolute path on the host. */
  cacheDirectory: string;
  /** The server's environment, from which limits and npm's settings are read. */
  env: Record<string, string | undefined>;
  installation: Installation;
  /** Resolves hosts' names for connections from a container; replaced in tests. */
  resolve?: ResolveHost | undefined;
  engine: ContainerEngine;
  /**
   * Called before a project's first container. Rejects with WorkspaceError `sandbox` if the engine cannot run one.
   * @returns the project's user, and its limits as far as the engine grants them
   */
  admit(
    options: OpenOptions,
    limits: ResourceLimits,
  ): Promise<{ user: ContainerUser; limits: ResourceLimits }>;
}

/** A driver whose projects run in containers of an engine, apart from what it says about the engine itself. */
export function createContainerDriver(
  options: ContainerDriverOptions,
): Pick<WorkspaceDriver, "open" | "close"> {
  const { cacheDirectory, env, installation } = options;
  sweepLeftovers(cacheDirectory);
  const registry = readRegistryConfig(env);
  const projectLimits = readLimits(env);
  const publishedLimits = readPublishedLimits(env);
  const count = createWorkspaceLimit(env);
  const watchDisk = createDiskWatch();
  const open = new Map<string, Promise<Workspace>>();

  return {
    async open(openOptions) {
      if (!existsSync(join(installation.guest, "over-stdio.mjs")))
        throw new WorkspaceError("sandbox", sentence("treadle-not-built"));
      const there = open.get(openOptions.project);
      if (there) return there;
      count.enter(openOptions.project);
      const forget = () => {
        open.delete(openOptions.project);
        count.leave(openOptions.project);
      };
      const opening = start();
      open.set(openOptions.project, opening);
      opening.catch(forget);
      return opening;

      async function start(): Promise<Workspace> {
        const { user, limits } = await options.admit(
          openOptions,
          lowered(openOptions.isPublished ? publishedLimits : projectLimits, openOptions.limits),
        );
        return openContainerWorkspace(openOptions, {
          engine: options.engine,
          user,
          registry,
          limits,
          watchDisk,
          resolve: options.resolve,
          onClosed: forget,
        });
      }
    },

    async close() {
      const all = await Promise.allSettled(open.values());
      // A failure to stop one must not prevent waiting for the others.
      const ended = await Promise.allSettled(
        all.map((result) => (result.status === "fulfilled" ? result.value.stop() : undefined)),
      );
      for (const result of ended) if (result.status === "rejected") throw result.reason;
    },
  };
}
