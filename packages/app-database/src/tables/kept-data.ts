import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"; // prettier-ignore
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { toProjectPath } from "@treadle/protocol/project-path";
import type { FileStream, Workspace } from "@treadle/workspace";
import { appDatabases } from "./app-databases.ts";
import { POSTGRES, postgresIn, postgresOut, postgresThere } from "./ask-postgres.ts";
import { putIn, takeOut } from "./transfer-database.ts";

/** Name of the folder in Treadle's own folder of a project. */
const FOLDER = "data-kept";
const DRAFT = "making-";
const LIST = "databases.json";
/** Size limit of the databases saved with one checkpoint, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Number of checkpoints per project whose data is kept, the newest. */
const KEPT = 10;

/** Saves the content of a preview's databases with checkpoints. */
export interface KeptData {
  /**
   * Saves the current content with a checkpoint, replacing what was saved before.
   * @returns false if there are no databases, or they are larger than 64 MB together
   * @throws ApiFailure if one of them cannot be copied; nothing is saved then
   */
  save(project: string, workspace: Workspace, checkpoint: string): Promise<boolean>;
  /** The checkpoints with saved data. */
  has(project: string): ReadonlySet<string>;
  /**
   * Restores the saved content. Saves a copy of each current database (`.data/copies`), and leaves those alone that
   * were created since.
   * @throws ApiFailure 409 `no-data`, 422 `database`
   */
  putBack(project: string, workspace: Workspace, checkpoint: string): Promise<void>;
}

/** @param parts.folderOf a project's own folder, beside its files */
export function createKeptData(parts: {
  folderOf(project: string): string;
  hasPostgres: boolean;
}): KeptData {
  const folderOf = (project: string) => join(parts.folderOf(project), FOLDER);
  const namesIn = (folder: string) =>
    (existsSync(folder) ? readdirSync(folder) : []).filter((name) => !name.startsWith(DRAFT));
  const has = (project: string): ReadonlySet<string> => new Set(namesIn(folderOf(project)));

  async function databasesOf(workspace: Workspace) {
    const files = await appDatabases(workspace);
    const there = parts.hasPostgres ? await postgresThere(workspace) : undefined;
    return [
      ...files.map(({ path, size }) => ({ path: path as string, bytes: size })),
      ...(there ? [{ path: POSTGRES, bytes: there.bytes ?? 0 }] : []),
    ];
  }

  function prune(folder: string): void {
    const all = namesIn(folder)
      .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
      .toSorted((a, b) => b.at - a.at);
    for (const { name } of all.slice(KEPT))
      rmSync(join(folder, name), { recursive: true, force: true });
  }

  return {
    async save(project, workspace, checkpoint) {
      const databases = await databasesOf(workspace);
      const bytes = databases.reduce((sum, one) => sum + one.bytes, 0);
      if (databases.length === 0 || bytes > MOST_BYTES) return false;
      const folder = folderOf(project);
      const draft = join(folder, DRAFT + randomBytes(6).toString("hex"));
      mkdirSync(draft, { recursive: true, mode: 0o700 });
      try {
        for (const [index, { path }] of databases.entries())
          await save(await openOut(workspace, path), join(draft, String(index)));
        writeFileSync(join(draft, LIST), JSON.stringify(databases.map(({ path }) => path)));
        rmSync(join(folder, checkpoint), { recursive: true, force: true });
        renameSync(draft, join(folder, checkpoint));
      } finally {
        rmSync(draft, { recursive: true, force: true });
      }
      prune(folder);
      return true;
    },
    has,
    async putBack(project, workspace, checkpoint) {
      if (!has(project).has(checkpoint)) throw noData();
      const folder = join(folderOf(project), checkpoint);
      const paths = JSON.parse(readFileSync(join(folder, LIST), "utf8")) as string[];
      const there = new Set((await databasesOf(workspace)).map(({ path }) => path));
      for (const [index, path] of paths.entries()) {
        const pieces = createReadStream(join(folder, String(index)));
        if (path === POSTGRES) await postgresIn(workspace, pieces, undefined);
        else if (there.has(path))
          await putIn(workspace, { do: "file-in", file: toProjectPath(path) }, pieces);
        else await workspace.files.writeStream(toProjectPath(path), pieces);
      }
    },
  };
}

/** The error for a checkpoint without saved data. */
export const noData = (): ApiFailure => new ApiFailure(409, "no-data", sentence("data-not-kept"));

const openOut = (workspace: Workspace, path: string): Promise<FileStream> =>
  path === POSTGRES
    ? postgresOut(workspace, undefined)
    : takeOut(workspace, { do: "file-out", file: toProjectPath(path) });

async function save({ pieces, close }: FileStream, to: string): Promise<void> {
  try {
    await pipeline(pieces, createWriteStream(to, { mode: 0o600 }));
  } finally {
    await close();
  }
}
