import { namesIn } from "@treadle/common/names-in";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { snapshotDatabase } from "@treadle/server";
import { EXIT } from "../terminal/exit-status.ts";
import { copyDatabase, findAppDatabases, withBeside } from "./backup-databases.ts";
import { copyPostgres } from "./backup-postgres.ts";
import { stopBySignal } from "../terminal/stop-by-signal.ts";
import { dataDirectory } from "../folders/data-directory.ts";
import { runTar } from "./run-tar.ts";

/** The file of a data folder's database. */
const DATABASE = "treadle.sqlite";
/**
 * Paths left out of a backup: the database itself (a consistent copy is included), the lock of a running server, and
 * everything that is recreated on demand.
 */
const LEFT_OUT = [
  `${DATABASE}*`,
  // The archive holds the projects as SQLite, wherever they are now.
  "stored-in-postgres",
  "treadle.lock*",
  "server.json*",
  "cache",
  "postgres/server",
];
/** Names in the state of a project or release that are recreated on demand. */
const OF_PROJECT = /^(?:cache|(?:copy|prove)-.*)$/;

/**
 * The data folders in a backup: the named one and, inside it, those of folders of the person's own. Each has a database.
 * Paths are relative to the first and end with `/`.
 */
const dataFolders = (data: string): string[] => [
  "",
  ...namesIn(join(data, "folders"))
    .map((name) => `folders/${name}/`)
    .filter((path) => existsSync(join(data, path, DATABASE))),
];

/** The full paths that tar leaves out: its `*` also matches folders, and a project may have its own `state/cache`. */
function leftOut(data: string, path: string): string[] {
  const projects = namesIn(join(data, path, "projects")).map((name) => `projects/${name}`);
  // A published release is backed up like a project.
  const releases = projects.flatMap((project) =>
    namesIn(join(data, path, project, "releases")).map((number) => `${project}/releases/${number}`),
  );
  return [
    ...LEFT_OUT.map((name) => `./${path}${name}`),
    ...[...projects, ...releases].flatMap((place) => [
      ...namesIn(join(data, path, place, "state"))
        .filter((name) => OF_PROJECT.test(name))
        .map((name) => `./${path}${place}/state/${name}`),
      // What the kernel keeps for a mounted overlay, which only root can read.
      ...namesIn(join(data, path, place, "state/layers")).map(
        (name) => `./${path}${place}/state/layers/${name}/work/work`,
      ),
      // The list of stored blobs, because a checkpoint may be written while the folder is read.
      `./${path}${place}/state/checkpoints.git/treadle-blobs`,
    ]),
  ];
}

/**
 * Copies the apps' databases, each in a consistent state.
 * @param list the paths that were copied, as a file for tar
 * @param passedOver the paths that tar leaves out of the data folder, as a file for tar
 * @returns the databases that were written to during every attempt
 */
async function copyDatabases(
  data: string,
  folders: readonly string[],
  {
    to,
    list,
    passedOver,
    signal,
  }: { to: string; list: string; passedOver: string; signal: AbortSignal },
): Promise<string[]> {
  const copied = folders.map((path) => path + DATABASE);
  const left: string[] = [];
  const torn: string[] = [];
  for (const path of await findAppDatabases(data, folders)) {
    // The list of exclusions has one path per line.
    if (path.includes("\n")) continue;
    signal.throwIfAborted();
    const { paths, isConsistent } = await copyDatabase(path, { from: data, to });
    if (!isConsistent && paths.length > 0) torn.push(path);
    copied.push(...paths);
    left.push(...withBeside(path));
  }
  for (const path of folders) {
    const postgres = await copyPostgres(path, { from: data, to, signal });
    if (postgres !== undefined) copied.push(postgres);
  }
  writeFileSync(list, copied.map((path) => `${path}\0`).join(""));
  writeFileSync(passedOver, left.map((path) => `./${path}\n`).join(""));
  return torn;
}

/**
 * `treadle backup FILE`: saves the whole data folder to one archive, also while the server is
 * running.
 */
export const backup = (command: { file: string; data?: string }): Promise<number> =>
  stopBySignal((signal) => backUpUnless(signal, command));

async function backUpUnless(
  signal: AbortSignal,
  command: { file: string; data?: string },
): Promise<number> {
  const data = dataDirectory(command.data, process.env);
  const file = resolve(command.file);
  let scratch: string | undefined;
  const draft = join(dirname(file), `.${basename(file)}-${process.pid}`);
  try {
    // The copies are made on the backup's own disk, which needs space for them anyway.
    scratch = mkdtempSync(join(dirname(file), `.${basename(file)}-databases-`));
    const copies = join(scratch, "copies");
    const list = join(scratch, "list");
    const passedOver = join(scratch, "passed-over");
    // The database is copied before the files are read, so that these include all checkpoints in it.
    const folders = dataFolders(data);
    for (const path of folders) {
      signal.throwIfAborted();
      mkdirSync(join(copies, path), { recursive: true, mode: 0o700 });
      await snapshotDatabase(
        join(data, path),
        join(copies, path, DATABASE),
        process.env.DATABASE_URL,
      );
    }
    const torn = await copyDatabases(data, folders, { to: copies, list, passedOver, signal });
    // The archive contains keys: nobody else may read it, from its first byte on.
    const target = await open(draft, "wx", 0o600);
    try {
      const words = [
        "-czf",
        "-",
        ...folders.flatMap((path) => leftOut(data, path)).map((path) => `--exclude=${path}`),
        "--anchored",
        "--no-wildcards",
        `--exclude-from=${passedOver}`,
        "-C",
        data,
        ".",
        "-C",
        copies,
        "--null",
        `--files-from=${list}`,
      ];
      // A file that changes while it is read is stored as it was read.
      const { input, ended } = runTar(words, { to: target.fd, ok: [0, 1], signal });
      input.end();
      await ended;
      await target.sync();
    } finally {
      await target.close();
    }
    signal.throwIfAborted();
    await rename(draft, file);
    process.stdout.write(
      `Kept in ${file}. It holds keys and secrets, so keep it as safe as those.\n`,
    );
    for (const path of torn)
      process.stderr.write(
        `${path} was written to all the while, so its copy may be incomplete. Make another backup when its app is less busy.\n`,
      );
    return 0;
  } catch (error) {
    process.stderr.write(
      `No backup was made: ${((signal.aborted ? signal.reason : error) as Error).message}\n`,
    );
    return EXIT.usage;
  } finally {
    await rm(draft, { force: true });
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
  }
}
