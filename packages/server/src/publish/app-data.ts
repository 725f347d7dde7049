import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { isAppData, isDataFile, type Workspace } from "@treadle/workspace";

/** Files that are listed of an app: more than any keeps beside its sources without a database. */
const MOST_FILES = 500_000;

/** Below a release's folder: what its install and its build have written, as it stood before the app first ran. */
const MADE = "made-files.json";

/** Remembers what is there besides the sources before a release's app runs: that is none of the app's data. */
export async function keepMadeFiles(
  workspace: Workspace,
  checkpoint: string,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, MADE), JSON.stringify(await workspace.writtenSince(checkpoint)));
}

/**
 * What the app of a release has written: databases, what people handed in, and what else is data by its name.
 * @param folder of the release, on the host
 */
export async function appData(
  workspace: Workspace,
  { checkpoint, folder }: { checkpoint: string; folder: string },
): Promise<ProjectPath[]> {
  const { files } = await workspace.files.list({ limit: MOST_FILES });
  const databases = files.filter(({ kind, path }) => kind === "file" && isDataFile(path));
  const found = new Set([...workspace.dataFiles(), ...databases.map(({ path }) => path)]);
  const made = await madeFiles(folder);
  // Of one that was made by an earlier Treadle nothing else is known.
  if (made) {
    const written = new Set(await workspace.writtenSince(checkpoint));
    for (const { kind, path } of files)
      if (kind === "file" && written.has(path) && !made.has(path) && isAppData(path))
        found.add(path);
  }
  return [...found];
}

async function madeFiles(folder: string): Promise<ReadonlySet<string> | undefined> {
  try {
    return new Set(JSON.parse(await readFile(join(folder, MADE), "utf8")) as string[]);
  } catch {
    return undefined;
  }
}
