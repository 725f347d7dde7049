import { sentence } from "@treadle/protocol/sentences";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { removeTree } from "../remove-tree.ts";
import {
  WorkspaceError,
  type CopiedDatabase,
  type OpenOptions,
  type Workspace,
  type WorkspaceSettings,
} from "../types.ts";
import type { Sandbox } from "./sandbox-host.ts";

/** Prefix of the folders of copies in a project's state folder. */
const PREFIX = "copy-";
/**
 * State that a copy shares with its project: it has the project's revision, and can restore the
 * same checkpoints.
 */
const SHARED_STATE = [
  "secret-key",
  "data-files.json",
  "tool-states.json",
  "written-paths.jsonl",
  "checkpoints.json",
];

/** Parameters of `SandboxHost.copy`. */
export interface CopyHow {
  clean: boolean;
  empty: boolean;
  fetchesAnew: boolean;
}

/** The temporary copies of one project, each with a sandbox of its own. */
export interface ProjectCopies {
  /** @param data data files of the app that are not recognised by name */
  open(settings: WorkspaceSettings, data: readonly ProjectPath[], how: CopyHow): Promise<Workspace>;
  /** Stops all open copies. None can be opened afterwards. */
  close(): Promise<void>;
}

/** The folders of a copy that is being opened. */
export interface CopyPlace {
  /** The project name of the copy. */
  project: string;
  /** Absolute path of the copy's folder on the host; removed with the copy. */
  scratch: string;
  /** The copy's state folder, in `scratch`, with the state shared with the project. */
  stateDirectory: string;
  database: CopiedDatabase | undefined;
  settings: WorkspaceSettings;
  how: CopyHow;
  /**
   * Copies the data to the copy, or removes it for an empty one; also removes whatever a clean copy
   * must not have. Call once its guest answers.
   */
  fill(sandbox: Sandbox): Promise<void>;
  /** Removes the copy's folders. */
  remove(): Promise<void>;
}

/** Removes copies that were open when the server was killed. */
export async function removeLeftCopies(stateDirectory: string): Promise<void> {
  for (const name of readdirSync(stateDirectory))
    if (name.startsWith(PREFIX)) await removeTree(join(stateDirectory, name));
}

/**
 * Opens copies of a project and tracks them until they are stopped.
 * @param openIn opens the copy's workspace; if it fails, the copy's folders are removed
 */
export function createOpenCopies(
  options: Pick<OpenOptions, "project" | "stateDirectory" | "databaseOfCopy">,
  openIn: (place: CopyPlace) => Promise<Workspace>,
): ProjectCopies {
  const open = new Set<Promise<Workspace>>();
  let closed = false;
  let count = 0;

  async function openCopy(
    settings: WorkspaceSettings,
    data: readonly ProjectPath[],
    how: CopyHow,
  ): Promise<Workspace> {
    const database = await options.databaseOfCopy?.(how);
    const scratch = mkdtempSync(join(options.stateDirectory, PREFIX));
    const stateDirectory = join(scratch, "state");
    mkdirSync(stateDirectory);
    for (const name of SHARED_STATE) {
      const file = join(options.stateDirectory, name);
      if (existsSync(file)) copyFileSync(file, join(stateDirectory, name));
    }
    const remove = async () => {
      await database?.drop().catch(() => undefined);
      await removeTree(scratch);
    };
    try {
      const copy = await openIn({
        project: `${options.project}-copy-${++count}`,
        scratch,
        stateDirectory,
        database,
        settings,
        how,
        async fill(sandbox) {
          if (how.clean) await sandbox.request("remove-made", {});
          await sandbox.request(how.empty ? "remove-data" : "take-data", { paths: [...data] });
        },
        remove,
      });
      if (database) withDatabase(copy, database);
      return copy;
    } catch (error) {
      await remove();
      throw error;
    }
  }

  return {
    open(settings, data, how) {
      if (closed) return Promise.reject(new WorkspaceError("stopped", sentence("project-ending")));
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

/** Includes the copy's own database in its data. */
function withDatabase(copy: Workspace, database: CopiedDatabase): void {
  const { dataDigest } = copy;
  copy.databaseDigest = () => database.digest();
  if (dataDigest)
    copy.dataDigest = async () => {
      const [files, rows] = await Promise.all([dataDigest(), database.digest()]);
      return `${files} ${rows ?? ""}`;
    };
}
