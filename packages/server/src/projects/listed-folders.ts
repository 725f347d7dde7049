/**
 * Folders that the command line worked in, with their last state. Each such command has its own store, so that it needs
 * no server and never waits for one. It leaves a notice file beside that store, which the server imports when the list
 * of projects is requested.
 */
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Evidence } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { pictureOf } from "@treadle/protocol/fold";
import type { ProjectRecord, Store } from "@treadle/store";
import { keptPictures } from "@treadle/pictures";
import { projectFolder } from "../project-context/project-folder.ts";
import { readView } from "../project-context/read-fold.ts";
import type { Runtimes } from "../runtime/runtimes.ts";
import type { OwnProjectService } from "./project-service.ts";

/**
 * A folder in the data folder with a data folder for each folder in which the command line works.
 */
export const FOLDERS = "folders";
/** File names in such a data folder: notices not yet imported, and notices being imported. */
const LEFT = "listed.json";
const TAKING = "listed.taking.json";

/**
 * Parses `TREADLE_LIST_FOLDERS`: whether a command leaves a notice about its folder.
 * @throws Error with a sentence for people
 */
export function readListFolders(text = "yes"): boolean {
  if (text === "yes" || text === "no") return text === "yes";
  throw new Error(`TREADLE_LIST_FOLDERS is “${text}”, but only yes and no can be chosen.`);
}

interface ListedFolder {
  directory: string;
  name: string;
  /** The project's id in the command line's own store. */
  project: string;
  updatedAt: number;
  /** The evidence for the current files; absent if they were not checked. */
  evidence?: Evidence;
}

/**
 * Leaves a notice about the folder of a command line's store, once the log has a message or a check.
 * @param dataDirectory the folder of that store
 */
export async function leaveListed(store: Store, dataDirectory: string): Promise<void> {
  const record = (await store.projects.list()).find(({ directory }) => directory !== undefined);
  if (record?.directory === undefined) return;
  const { state } = await readView(store, record.id);
  if (state.lastMessage === undefined && state.known.size === 0) return;
  const evidence =
    state.revision === undefined ? undefined : state.known.get(state.revision)?.evidence;
  const left: ListedFolder = {
    directory: record.directory,
    name: record.name === "New project" ? basename(record.directory) : record.name,
    project: record.id,
    updatedAt: record.updatedAt,
    evidence,
  };
  const draft = join(dataDirectory, `${LEFT}.${process.pid}`);
  await writeFile(draft, JSON.stringify(left), { mode: 0o600 });
  await rename(draft, join(dataDirectory, LEFT));
}

/** Creates projects for folders in which the command line worked. */
export interface ListedFolders {
  /** Imports notices left since the last call. Unreadable notices are dropped. Resolves once they are stored. */
  take(): Promise<void>;
}

export function createListedFolders(parts: {
  dataDirectory: string;
  store: Store;
  projects: Pick<OwnProjectService, "create">;
  runtimes: Pick<Runtimes, "known">;
  onNotice: (text: string) => void;
}): ListedFolders {
  let taking: Promise<void> | undefined;
  return {
    take: () =>
      (taking ??= takeAll()
        .catch((error: Error) => parts.onNotice(error.message))
        .finally(() => (taking = undefined))),
  };

  async function takeAll(): Promise<void> {
    const folders = join(parts.dataDirectory, FOLDERS);
    for (const key of await readdir(folders).catch(() => [])) {
      const from = join(folders, key);
      const file = join(from, TAKING);
      // A killed server may have left a notice half imported.
      if (existsSync(file)) await takeOne(from, file);
      const isLeft = await rename(join(from, LEFT), file).then(
        () => true,
        () => false,
      );
      if (isLeft) await takeOne(from, file);
    }
  }

  async function takeOne(from: string, file: string): Promise<void> {
    const left = await readFile(file, "utf8").then(readListed, () => undefined);
    if (left && existsSync(left.directory)) await register(left, from);
    await rm(file, { force: true });
  }

  async function register(left: ListedFolder, from: string): Promise<void> {
    const { directory, name, evidence, updatedAt } = left;
    const { store } = parts;
    const known = await store.projects.byDirectory(directory);
    const id = known?.id ?? (await parts.projects.create({ directory, name })).id;
    const change: Partial<ProjectRecord> = {
      updatedAt: known ? Math.max(updatedAt, known.updatedAt) : updatedAt,
    };
    const runtime = parts.runtimes.known(id);
    // An active project reports the state of its files itself.
    if (evidence && !runtime?.isWorking()) {
      await copyPictures(evidence, left.project, from, id);
      const event = { type: "evidence" as const, evidence };
      if (runtime) runtime.append(event);
      else store.log.append(id, event, updatedAt);
      const { verdict } = judge(evidence);
      Object.assign(change, { verdict, standing: verdict, picture: pictureOf(evidence) });
    }
    await store.projects.update(id, change);
  }

  async function copyPictures(
    { pages }: Evidence,
    project: string,
    from: string,
    to: string,
  ): Promise<void> {
    const theirs = keptPictures(projectFolder(from, project));
    const ours = keptPictures(projectFolder(parts.dataDirectory, to), true);
    for (const { picture } of pages) {
      const file = picture && (await theirs.read(picture.hash));
      // A picture that cannot be stored must not keep the project out of the list.
      if (file)
        await ours.save([Buffer.from(file.bytes).toString("base64")]).catch(() => undefined);
    }
  }
}

/** Parses a notice, or undefined if it is incomplete. Only Treadle writes these files. */
function readListed(text: string): ListedFolder | undefined {
  try {
    const left = JSON.parse(text) as Partial<ListedFolder>;
    const isWhole =
      typeof left.directory === "string" &&
      typeof left.name === "string" &&
      typeof left.project === "string" &&
      typeof left.updatedAt === "number";
    return isWhole ? (left as ListedFolder) : undefined;
  } catch {
    return undefined;
  }
}
