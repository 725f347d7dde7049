import { chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import type { RunGit } from "../checkpoints/git-store.ts";
import type { SandboxEvents } from "../guest-workspace/sandbox-host.ts";
import { openGuestWorkspace } from "../guest-workspace/workspace.ts";
import { removeTree } from "../remove-tree.ts";
import {
  WorkspaceError,
  type OpenOptions,
  type Workspace,
  type WorkspaceSettings,
} from "../types.ts";
import type { Dependencies } from "./project-dependencies.ts";
import type { InstallCall } from "../guest-workspace/sandbox-host.ts";
import type { InstallAnswer, InstallAsk } from "../wire/install.ts";
import {
  startSandbox,
  type LocalSandbox,
  type ProjectLayer,
  type SandboxSettings,
} from "./sandbox.ts";

/** Folders of copies, below a project's state folder. */
const PREFIX = "copy-";
/** What a copy takes over of the project's state: its revision is the project's, and so are the checkpoints it can go to. */
const SHARED_STATE = [
  "secret-key",
  "data-files.json",
  "tool-states.json",
  "written-paths.jsonl",
  "checkpoints.json",
];

/** The throw-away copies of one project: each a sandbox of its own over a layer that takes what is written. */
export interface ProjectCopies {
  /** @param data files of the app's data beside those that are data by their names */
  open(
    settings: WorkspaceSettings,
    data: readonly ProjectPath[],
    how: { clean: boolean; empty: boolean; fetchesAnew: boolean },
  ): Promise<Workspace>;
  /** Stops all that are open. None can be opened any more. */
  close(): Promise<void>;
}

/** Removes what copies have left behind that were open when the server was killed. */
export async function removeLeftCopies(stateDirectory: string): Promise<void> {
  for (const name of readdirSync(stateDirectory))
    if (name.startsWith(PREFIX)) await removeTree(join(stateDirectory, name));
}

export function createProjectCopies(
  options: OpenOptions,
  parts: Omit<
    SandboxSettings,
    "project" | "stateDirectory" | "repositories" | "layer" | "plain" | keyof SandboxEvents
  > & {
    dependencies: Dependencies;
    /** What installs of a clean copy are put in place with. @param stateDirectory of that copy */
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
  const open = new Set<Promise<Workspace>>();
  let closed = false;
  let count = 0;

  async function openCopy(
    settings: WorkspaceSettings,
    data: readonly ProjectPath[],
    { clean, empty, fetchesAnew }: { clean: boolean; empty: boolean; fetchesAnew: boolean },
  ): Promise<Workspace> {
    const database = await options.databaseOfCopy?.();
    const scratch = mkdtempSync(join(options.stateDirectory, PREFIX));
    const state = join(scratch, "state");
    const [upper, work] = [join(scratch, "upper"), join(scratch, "work")];
    for (const folder of [state, upper, work]) mkdirSync(folder);
    if (process.getuid?.() === 0) for (const folder of [upper, work]) chownSync(folder, uid, uid);
    for (const name of SHARED_STATE) {
      const file = join(options.stateDirectory, name);
      if (existsSync(file)) copyFileSync(file, join(state, name));
    }
    const project = `${options.project}-copy-${++count}`;
    const remove = async () => {
      await database?.drop().catch(() => undefined);
      await removeTree(scratch);
    };
    const own = clean ? parts.ownDependencies(scratch) : undefined;
    const layer: ProjectLayer = {
      upper,
      work,
      dependencies: own ? "later" : dependencies.throwAway("/home/project", scratch),
    };
    try {
      return await openGuestWorkspace<LocalSandbox>(
        { ...options, project, stateDirectory: state, settings },
        {
          isThrownAway: true,
          async start(events) {
            const sandbox = await startSandbox({
              ...parts,
              ...(database && { database: (connection) => database.take(connection) }),
              project,
              stateDirectory: state,
              repositories: { binds: [], kept: [] },
              layer,
              // What was fetched once is not fetched again.
              ...(own && !fetchesAnew && { cacheDirectory: join(options.stateDirectory, "cache") }),
              plain: false,
              ...events,
            });
            if (own) await sandbox.request("remove-made", {});
            await sandbox.request(empty ? "remove-data" : "take-data", { paths: [...data] });
            return sandbox;
          },
          install: (sandbox, asked, call) =>
            own
              ? parts.install(sandbox, asked, call, own)
              : Promise.resolve({ act: "run", manager: asked.manager, args: asked.args }),
          prove: () =>
            Promise.reject(new WorkspaceError("failed", "a copy is not proven: its project is")),
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
    } catch (error) {
      await remove();
      throw error;
    }
  }

  return {
    open(settings, data, how) {
      if (closed) return Promise.reject(new WorkspaceError("stopped", "the project is ending"));
      const opening = openCopy(settings, data, how);
      open.add(opening);
      const forget = () => open.delete(opening);
      opening.then((copy) => {
        const { stop } = copy;
        copy.stop = () => stop().finally(forget);
      }, forget);
      return opening;
    },
    async close() {
      closed = true;
      await Promise.all(
        [...open].map((opening) =>
          opening.then(
            (copy) => copy.stop(),
            () => undefined,
          ),
        ),
      );
    },
  };
}
