import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { isAppData, isDataFile, mayBeDocument, type Workspace } from "@treadle/workspace";

/** Maximum number of an app's files that are listed; an app with more would use a database. */
const MOST_FILES = 500_000;

/** A file in a release's folder: hashes of all files before the app first ran, by path. */
const BEFORE = "files-before.json";

/** Beside it: the files after the app had started and was checked, but before any use, by path. */
const STARTED = "files-started.json";

/** Records the files before a release's app runs; these are not the app's data. */
export async function keepFilesBefore(workspace: Workspace, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const hashes = Object.fromEntries(await workspace.fileHashes());
  await writeFile(join(folder, BEFORE), JSON.stringify(hashes));
}

/**
 * Records the files created at the start, before a release is used and before data is taken over:
 * they are not derived from visitors.
 */
export async function keepFilesStarted(workspace: Workspace, folder: string): Promise<void> {
  const paths = [...(await workspace.fileHashes()).keys()].filter(mayBeDocument);
  await writeFile(join(folder, STARTED), JSON.stringify(paths));
}

/**
 * Returns the data that a release's app has written: databases, uploads and other data by name,
 * including files of the sources or the build that it changed, and documents created during use.
 * @param folder of the release, on the host
 */
export async function appData(workspace: Workspace, folder: string): Promise<ProjectPath[]> {
  const { files } = await workspace.files.list({ limit: MOST_FILES });
  const databases = files.filter(({ kind, path }) => kind === "file" && isDataFile(path));
  const found = new Set([...workspace.dataFiles(), ...databases.map(({ path }) => path)]);
  const hashes = await readKept<Record<string, string>>(folder, BEFORE);
  // Releases of earlier versions have no record.
  if (!hashes) return [...found];
  const before = new Map(Object.entries(hashes));
  const started = await readKept<string[]>(folder, STARTED);
  const isMade = started && new Set([...before.keys(), ...started]);
  for (const [path, hash] of await workspace.fileHashes())
    if (
      isAppData(path)
        ? before.get(path) !== hash
        : isMade?.has(path) === false && mayBeDocument(path)
    )
      found.add(path);
  return [...found];
}

async function readKept<T>(folder: string, name: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, name), "utf8")) as T;
  } catch {
    return undefined;
  }
}
