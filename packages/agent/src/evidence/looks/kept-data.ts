import type { ProjectPath } from "@treadle/protocol";
import { isSqliteFile } from "@treadle/protocol/project-path";
import { isDataFile, type Workspace } from "@treadle/workspace";
import type { ServerCommand } from "../../project/server-command.ts";

/** Limit in bytes for data that is held in memory during an observation. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_FILES = 500;

/** The app's data before an observation that had to use it directly. */
export interface KeptData {
  /**
   * Restores the data, and restarts the app's server if anything had changed. Does nothing otherwise.
   * @returns whether anything was restored
   */
  putBack({ command }: Pick<ServerCommand, "command">): Promise<boolean>;
}

/**
 * Saves the app's data for an observation that cannot use a copy.
 * @returns undefined if the data could not be restored: it is too large, or it contains a database, whose files alone are not
 * complete while a server has it open
 */
export async function keepData(workspace: Workspace): Promise<KeptData | undefined> {
  const before = await readData(workspace);
  if (!before) return undefined;
  return {
    async putBack({ command }) {
      const wasUp = workspace.server?.state === "up";
      const differs = await changesSince(before, workspace);
      if (differs === undefined || differs.length === 0) return false;
      // A server may write its memory to disk when it exits, so it is stopped first.
      if (wasUp) await workspace.stopServer();
      for (const path of (await changesSince(before, workspace)) ?? differs) {
        const bytes = before.get(path);
        if (bytes) await workspace.files.write(path, bytes);
        else await workspace.files.remove(path);
      }
      if (wasUp) await workspace.start(command, { alone: true });
      return true;
    },
  };
}

async function changesSince(
  before: ReadonlyMap<ProjectPath, Uint8Array>,
  workspace: Workspace,
): Promise<ProjectPath[] | undefined> {
  const now = await readData(workspace);
  if (!now) return undefined;
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => {
    const [was, is] = [before.get(path), now.get(path)];
    return !was || !is || Buffer.compare(was, is) !== 0;
  });
}

async function readData(workspace: Workspace): Promise<Map<ProjectPath, Uint8Array> | undefined> {
  const { files, more } = await workspace.files.list();
  const known = new Set(workspace.dataFiles());
  const data = files.filter(
    ({ path, kind }) => kind === "file" && (isDataFile(path) || known.has(path)),
  );
  const bytes = data.reduce((sum, { size }) => sum + size, 0);
  if (more || data.length > MOST_FILES || bytes > MOST_BYTES) return undefined;
  if (data.some(({ path }) => isSqliteFile(path))) return undefined;
  const saved = new Map<ProjectPath, Uint8Array>();
  for (const { path } of data) {
    const found = await workspace.files.read(path).catch(() => undefined);
    if (found) saved.set(path, found.bytes);
  }
  return saved;
}
