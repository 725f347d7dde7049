import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { examineStore, openStore, type Finding } from "@treadle/store";
import { examineCheckpoints, examineTrees } from "@treadle/workspace";
import { makeFolder } from "@treadle/common/make-folder";
import { draftsOf, filesCalled } from "./project-context/drafts.ts";
import { projectFolder } from "./project-context/project-folder.ts";

/** Temporary files that exist only while the data folder's own files are written. */
const OWN_DRAFTS = /^(?:(?:token|rules\.md)\.new|secrets\.key\.\d+)$/;
/** The folder to which a repair moves project folders that no project has. */
const LOST = "lost";

/**
 * Checks all stored data for consistency: the database, each project's folder and checkpoints, prepared dependencies,
 * and the data of folders that `treadle run` works in. No server may be running on it.
 * @param repair also repairs what can be repaired without deleting anything that a person may miss
 * @throws StoreError `busy` while a server is running on the data, or any error of opening the database
 */
export async function examineData(options: {
  dataDirectory: string;
  cacheDirectory: string;
  /** Address of the PostgreSQL database, if the projects are in one. */
  database?: string | undefined;
  repair: boolean;
}): Promise<Finding[]> {
  const { dataDirectory, cacheDirectory, database, repair } = options;
  const found = await examineStore(dataDirectory, database, repair);
  if (!found) return [];
  const shared = existsSync(cacheDirectory) ? await examineTrees(cacheDirectory, repair) : [];
  return [
    ...found,
    // Without a readable database, the projects are unknown.
    ...(found.some(({ problem }) => problem.startsWith("it is damaged"))
      ? []
      : await examineProjects(dataDirectory, database, repair)),
    ...left(filesCalled(dataDirectory, OWN_DRAFTS), repair),
    ...shared,
    ...(await examineFolders(dataDirectory, repair)),
  ];
}

async function examineFolders(dataDirectory: string, repair: boolean): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const name of namesIn(join(dataDirectory, "folders"))) {
    const folder = join(dataDirectory, "folders", name);
    const own = { dataDirectory: folder, cacheDirectory: join(folder, "cache"), repair };
    for (const one of await examineData(own))
      found.push({ ...one, where: `folder ${name}, ${one.where}` });
  }
  return found;
}

async function examineProjects(
  dataDirectory: string,
  database: string | undefined,
  repair: boolean,
): Promise<Finding[]> {
  const store = await openStore({ directory: dataDirectory, database });
  const known = new Map<string, { name: string; directory?: string | undefined }>();
  try {
    const all = [...(await store.projects.list()), ...(await store.projects.deleted())];
    for (const { id, name, directory } of all) known.set(id, { name, directory });
  } finally {
    await store.close();
  }
  const found: Finding[] = [];
  for (const id of namesIn(join(dataDirectory, "projects"))) {
    const folder = projectFolder(dataDirectory, id);
    const project = known.get(id);
    if (!project) {
      found.push(unknownFolder(dataDirectory, id, repair));
      continue;
    }
    const where = `project “${project.name}” (${id})`;
    const problems = [
      ...filesGone(folder, project.directory),
      ...(await examineCheckpoints(join(folder, "state"), repair)),
      ...left(draftsOf(folder), repair),
    ];
    for (const one of problems) found.push({ ...one, where });
  }
  return found;
}

/**
 * Reports a folder that no project has: an unfinished creation or removal, or a foreign folder. A repair only moves
 * it to `lost`, because its owner has to decide what to do with it.
 */
function unknownFolder(dataDirectory: string, id: string, repair: boolean): Finding {
  const where = `projects/${id}`;
  const problem = "a folder that no project has";
  if (!repair) return { where, problem };
  makeFolder(join(dataDirectory, LOST), 0o700);
  const place = join(dataDirectory, LOST, `${id}-${Date.now()}`);
  renameSync(projectFolder(dataDirectory, id), place);
  return { where, problem, mended: `it is ${place} now` };
}

/**
 * Reports a project whose files are missing, although it has checkpoints.
 * @param inPlace the person's own folder, if the project's files are there
 */
function filesGone(folder: string, inPlace: string | undefined): Finding[] {
  if (existsSync(inPlace ?? join(folder, "files"))) return [];
  if (!existsSync(join(folder, "state", "checkpoints.json"))) return [];
  if (inPlace !== undefined)
    return [
      {
        where: "files",
        problem: `its folder ${inPlace} is gone: put it back there, or fork one of its checkpoints on its page`,
      },
    ];
  const problem = "its files are gone; its checkpoints are not: go back to one on its page";
  return [{ where: "files", problem }];
}

/** Reports files that a killed server left unfinished. A repair removes them. */
function left(paths: readonly string[], repair: boolean): Finding[] {
  return paths.map((path) => {
    if (repair) rmSync(path, { force: true });
    return {
      where: "data folder",
      problem: `${path} was being written when a server ended`,
      mended: repair ? "it is removed" : undefined,
    };
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
