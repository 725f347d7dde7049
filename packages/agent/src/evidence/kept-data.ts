import type { ProjectPath } from "@treadle/protocol";
import { isSqliteFile } from "@treadle/protocol/project-path";
import { isDataFile, type Workspace } from "@treadle/workspace";
import type { ServerCommand } from "../project/server-command.ts";

/** Bytes of data that are held during a look. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_FILES = 500;

/** The app's data as it stood before a look that had to be made on it. */
export interface KeptData {
  /**
   * Puts the data back, and starts the app's server again if something of it was another by then. Does nothing else.
   * @returns whether something was put back
   */
  putBack({ command }: Pick<ServerCommand, "command">): Promise<boolean>;
}

/**
 * Keeps the app's data where a look cannot be made on a copy of it.
 * @returns undefined where it cannot be put back: too much of it, or a database, which is more than its files while a server
 * has it open
 */
export async function keepData(workspace: Workspace): Promise<KeptData | undefined> {
  const before = await readData(workspace);
  if (!before) return undefined;
  return {
    async putBack({ command }) {
      const wasUp = workspace.server?.state === "up";
      const differs = await changesSince(before, workspace);
      if (differs === undefined || differs.length === 0) return false;
      // A server writes what it holds in memory when it ends: that comes first.
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
