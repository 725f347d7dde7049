import { sentence } from "@treadle/protocol/sentences";
import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunGit } from "../checkpoints/git-store.ts";
import {
  createOpenCopies,
  type CopyPlace,
  type ProjectCopies,
} from "../guest-workspace/open-copies.ts";
import type { InstallCall, SandboxEvents } from "../guest-workspace/sandbox-host.ts";
import { openGuestWorkspace } from "../guest-workspace/workspace.ts";
import { WorkspaceError, type OpenOptions } from "../types.ts";
import type { InstallAnswer, InstallAsk } from "../wire/install.ts";
import type { Dependencies } from "./project-dependencies.ts";
import {
  startSandbox,
  type LocalSandbox,
  type ProjectLayer,
  type SandboxSettings,
} from "./sandbox.ts";

/** Copies of one project, each in a sandbox over a layer that receives all writes. */
export function createProjectCopies(
  options: OpenOptions,
  parts: Omit<
    SandboxSettings,
    "project" | "stateDirectory" | "repositories" | "layer" | "plain" | keyof SandboxEvents
  > & {
    dependencies: Dependencies;
    /**
     * Creates the dependencies of a clean copy.
     * @param stateDirectory of that copy
     */
    ownDependencies(stateDirectory: string): Dependencies;
    /** `SandboxHost.install`, for a clean copy. */
    install(
      sandbox: LocalSandbox,
      asked: InstallAsk,
      call: InstallCall,
      dependencies: Dependencies,
    ): Promise<InstallAnswer>;
    git: RunGit;
    gitDirectory: string;
  },
): ProjectCopies {
  const { dependencies, uid, git, gitDirectory } = parts;

  async function openIn(place: CopyPlace) {
    const { project, scratch, stateDirectory, database, settings, how, fill, remove } = place;
    const [upper, work] = [join(scratch, "upper"), join(scratch, "work")];
    for (const folder of [upper, work]) mkdirSync(folder);
    if (process.getuid?.() === 0) for (const folder of [upper, work]) chownSync(folder, uid, uid);
    const own = how.clean ? parts.ownDependencies(scratch) : undefined;
    const layer: ProjectLayer = {
      upper,
      work,
      dependencies: own ? "later" : dependencies.throwAway("/home/project", scratch),
    };
    return openGuestWorkspace<LocalSandbox>(
      { ...options, project, stateDirectory, settings },
      {
        isThrownAway: true,
        async start(events) {
          const sandbox = await startSandbox({
            ...parts,
            ...(database && { database: (connection) => database.take(connection) }),
            project,
            stateDirectory,
            repositories: { binds: [], kept: [] },
            layer,
            // The project's earlier downloads are reused, unless the copy has to fetch everything anew.
            ...(own &&
              !how.fetchesAnew && { cacheDirectory: join(options.stateDirectory, "cache") }),
            plain: false,
            ...events,
          });
          await fill(sandbox);
          return sandbox;
        },
        install: (sandbox, asked, call) =>
          own
            ? parts.install(sandbox, asked, call, own)
            : Promise.resolve({ act: "run", manager: asked.manager, args: asked.args }),
        prove: () => Promise.reject(new WorkspaceError("failed", sentence("copy-not-proven"))),
        openRoot: () => undefined,
        git,
        gitDirectory,
        async close() {
          own?.release();
          await remove();
          return [];
        },
      },
    );
  }

  return createOpenCopies(options, openIn);
}
