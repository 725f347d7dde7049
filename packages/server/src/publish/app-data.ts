import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { isAppData, isDataFile, type Workspace } from "@treadle/workspace";

/** Files that are listed of an app: more than any keeps beside its sources without a database. */
const MOST_FILES = 500_000;

/** Below a release's folder: what each file held before the app first ran, by path. */
const BEFORE = "files-before.json";

/** Remembers what is there before a release's app runs: what it holds by then is none of the app's data. */
export async function keepFilesBefore(workspace: Workspace, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const hashes = Object.fromEntries(await workspace.fileHashes());
  await writeFile(join(folder, BEFORE), JSON.stringify(hashes));
}

/**
 * What the app of a release has written: databases, what people handed in, and what else is data by its name, also where
 * its sources or its build brought a file along that it has changed since.
 * @param folder of the release, on the host
 */
export async function appData(workspace: Workspace, folder: string): Promise<ProjectPath[]> {
  const { files } = await workspace.files.list({ limit: MOST_FILES });
  const databases = files.filter(({ kind, path }) => kind === "file" && isDataFile(path));
  const found = new Set([...workspace.dataFiles(), ...databases.map(({ path }) => path)]);
  const before = await filesBefore(folder);
  // Of one that was made by an earlier Treadle nothing else is known.
  if (before)
    for (const [path, hash] of await workspace.fileHashes())
      if (before.get(path) !== hash && isAppData(path)) found.add(path);
  return [...found];
}

async function filesBefore(folder: string): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const text = await readFile(join(folder, BEFORE), "utf8");
    return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
  } catch {
    return undefined;
  }
}
