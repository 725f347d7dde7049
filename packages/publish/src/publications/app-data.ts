import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { isAppData, isDataFile, mayBeDocument, type Workspace } from "@treadle/workspace";

/** Files that are listed of an app: more than any keeps beside its sources without a database. */
const MOST_FILES = 500_000;

/** Below a release's folder: what each file held before the app first ran, by path. */
const BEFORE = "files-before.json";

/** Beside it: what was there once the app had started and was looked over, and nobody had used it; by path. */
const STARTED = "files-started.json";

/** Remembers what is there before a release's app runs: what it holds by then is none of the app's data. */
export async function keepFilesBefore(workspace: Workspace, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const hashes = Object.fromEntries(await workspace.fileHashes());
  await writeFile(join(folder, BEFORE), JSON.stringify(hashes));
}

/**
 * Remembers what its start has made, before anybody uses a release and before data is taken over: a picture or a page that is not
 * there yet is made of nobody's sources.
 */
export async function keepFilesStarted(workspace: Workspace, folder: string): Promise<void> {
  const paths = [...(await workspace.fileHashes()).keys()].filter(mayBeDocument);
  await writeFile(join(folder, STARTED), JSON.stringify(paths));
}

/**
 * What the app of a release has written: databases, what people handed in, and what else is data by its name, also where
 * its sources or its build brought a file along that it has changed since; and documents that came while people used it.
 * @param folder of the release, on the host
 */
export async function appData(workspace: Workspace, folder: string): Promise<ProjectPath[]> {
  const { files } = await workspace.files.list({ limit: MOST_FILES });
  const databases = files.filter(({ kind, path }) => kind === "file" && isDataFile(path));
  const found = new Set([...workspace.dataFiles(), ...databases.map(({ path }) => path)]);
  const hashes = await readKept<Record<string, string>>(folder, BEFORE);
  // Of one that was made by an earlier Treadle nothing else is known.
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
