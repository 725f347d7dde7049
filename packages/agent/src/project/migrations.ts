import type { ProjectPath } from "@treadle/protocol";
import { isSqliteFile, toProjectPath } from "@treadle/protocol/project-path";
import {
  chooseFolders,
  migrationFolderOf,
  MIGRATION_FOLDERS,
  migrationNumber,
  numberLike,
  WorkspaceError,
  type Workspace,
} from "@treadle/workspace";

/** Milliseconds without output after which a migration is aborted. */
const QUIET_MS = 60_000;
/** Matches sources that read migrations themselves, or pass them to a tool that does. */
const READS = String.raw`["'\x60][^"'\x60]*\bmigrations\b`;
/** The table of Treadle's list of migrations: sources that name it share the list. */
const SAME_LIST = "treadle_migrations";
const SOURCES = "*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}";

export const isMigration = (path: string): boolean => migrationFolderOf(path) !== undefined;

/** The result of the migrations that had not run. */
export type Migrated =
  /** No migrations exist, or the app runs them itself, with a list of its own. */
  | { kind: "none" }
  | { kind: "ran"; output: string }
  /** `output` begins with the file, the line and the database's message. */
  | { kind: "failed"; output: string };

/**
 * Runs the project's pending migrations on its database, in its sandbox.
 * @param options.seed whether an empty database receives the example rows
 * @param options.onRun called before the migrations run, if there are any
 * @param options.copy whether the database is copied before; default true
 * @param options.file the app's SQLite database if it was found elsewhere; the app's environment takes precedence
 */
export async function migrate(
  workspace: Workspace,
  {
    seed,
    copy = true,
    signal,
    onRun,
    file,
  }: {
    seed: boolean;
    copy?: boolean;
    file?: string | undefined;
    signal: AbortSignal;
    onRun?: (() => void) | undefined;
  },
): Promise<Migrated> {
  if ((await migrationFiles(workspace)).length === 0 || (await runsItsOwn(workspace)))
    return { kind: "none" };
  onRun?.();
  const command = `treadle-db migrate${seed ? " --seed" : ""}${copy ? "" : " --no-copy"}`;
  const exit = await workspace.run(command, {
    signal,
    isOwn: true,
    quietMs: QUIET_MS,
    env: file === undefined ? undefined : { TREADLE_DB_FILE: file },
  });
  signal.throwIfAborted();
  const output = exit.output.trim();
  if (exit.kind === "exited" && exit.code === 0) return { kind: "ran", output };
  // Exit code 127: a project that runs in a person's tab has no database here.
  if (exit.kind === "exited" && exit.code === 127) return { kind: "none" };
  const how =
    exit.kind === "exited"
      ? `${command} ended with ${exit.code}`
      : `${command} was ended after ${Math.round(exit.ms / 1000)} seconds, and nothing of the file that ran then was kept. Let each migration do less.`;
  const reason = exit.kind === "exited" && output !== "" ? [output] : [how, output];
  return { kind: "failed", output: reason.filter((one) => one !== "").join("\n") };
}

/**
 * The database file on which the migrations of a project run, if it is not one of the usual files;
 * undefined otherwise, because the app has not created it yet.
 */
export async function migratedFile(workspace: Workspace): Promise<string | undefined> {
  if ((await migrationFiles(workspace)).length === 0) return undefined;
  const exit = await workspace.run("treadle-db where", { isOwn: true });
  const output = exit.kind === "exited" && exit.code === 0 ? exit.output.trim() : "";
  return isSqliteFile(output) ? output : undefined;
}

/**
 * Maximum number of files and folders searched for migrations outside the usual places, such as in
 * `backend/migrations`.
 */
const MOST_FILES = 5_000;

async function migrationFiles(workspace: Workspace): Promise<ProjectPath[]> {
  const usual = await Promise.all(
    MIGRATION_FOLDERS.map((folder) => listed(workspace, { under: toProjectPath(folder) })),
  );
  const found = usual.flat().filter(isMigration);
  if (found.length > 0) return found;
  const all = (await listed(workspace, { limit: MOST_FILES })).filter(isMigration);
  const folders = chooseFolders(all.map((path) => migrationFolderOf(path)!));
  return all.filter((path) => folders.includes(migrationFolderOf(path)!));
}

async function listed(
  { files }: Workspace,
  options: { under?: ProjectPath; limit?: number },
): Promise<ProjectPath[]> {
  const listing = await files.list(options).catch((error: unknown) => {
    if (error instanceof WorkspaceError && error.code !== "stopped") return { files: [] };
    throw error;
  });
  return listing.files.filter(({ kind }) => kind === "file").map(({ path }) => path);
}
/** Whether the app's sources run its migrations with a list of their own. */
async function runsItsOwn({ files }: Workspace): Promise<boolean> {
  const { matches } = await files.search({ pattern: READS, regex: true, glob: SOURCES, limit: 20 });
  if (matches.length === 0) return false;
  const same = await files.search({ pattern: SAME_LIST, glob: SOURCES, limit: 1 });
  return same.matches.length === 0;
}

/**
 * Adds the missing number to the path of a new migration: those of bolt's models have only a name.
 * @returns the path unchanged if it has a number or is not a migration; or the reason why it is not written
 */
export async function withNumber(
  path: ProjectPath,
  workspace: Workspace,
): Promise<ProjectPath | { refuse: string }> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!isMigration(path) || name === "seed.sql" || migrationNumber(name) !== undefined) return path;
  const folder = path.slice(0, -name.length);
  const all = (await migrationFiles(workspace)).map((one) => one.slice(one.lastIndexOf("/") + 1));
  if (all.includes(name)) return path;
  const same = all.find((one) => one.replace(/^\d+[_.-]/, "") === name);
  if (same !== undefined)
    return { refuse: `It is there as ${folder}${same}: write that one, or a new one.` };
  const last = all
    .filter((one) => migrationNumber(one) !== undefined)
    .reduce((a, b) => (migrationNumber(b)! > migrationNumber(a)! ? b : a), "0000.sql");
  const number = (migrationNumber(last) ?? 0) + 1;
  return toProjectPath(`${folder}${numberLike(number, last)}_${name}`);
}
