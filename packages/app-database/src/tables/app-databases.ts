import type { ProjectPath } from "@treadle/protocol";
import { isSqliteFile } from "@treadle/protocol/project-path";
import { isOutputFolder, WorkspaceError, type Workspace } from "@treadle/workspace";

/** Temporary files of a transfer: not a database of the app. */
const PASSING = /^\.data\/transfer-/;
/** Copies saved before a change. */
export const COPY = /^\.data\/copies\//;

/** SQLite files of an app, including saved copies. */
export async function databasesIn(
  workspace: Workspace,
): Promise<{ path: ProjectPath; size: number }[]> {
  const { files } = workspace;
  const { files: listed } = await files.list();
  const shown = listed.filter(
    ({ kind, path }) => kind === "file" && isSqliteFile(path) && !PASSING.test(path),
  );
  // A built server may store its own databases beside itself, in a folder that is not listed.
  const built = [...(await workspace.fileHashes()).keys()].filter(
    (path) => isSqliteFile(path) && isBuilt(path),
  );
  const found = await Promise.all(built.map((path) => sized(files, path)));
  return [...shown, ...found.filter((one) => one !== undefined)];
}

/** The databases that the app itself uses, without those beside a built server and saved copies. */
export const appDatabases = async (workspace: Workspace) =>
  (await databasesIn(workspace)).filter(({ path }) => !COPY.test(path) && !isBuilt(path));

const isBuilt = (path: ProjectPath) => isOutputFolder(path.split("/", 1)[0]!);

/** The path with its size; undefined if a build has removed the file meanwhile. */
async function sized(files: Workspace["files"], path: ProjectPath) {
  try {
    const { size, close } = await files.readStream(path);
    await close();
    return { path, size };
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "missing") return undefined;
    throw error;
  }
}
