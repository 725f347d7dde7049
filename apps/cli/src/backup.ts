import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { snapshotDatabase } from "@treadle/server";
import { EXIT } from "./exit-status.ts";
import { dataDirectory } from "./data-directory.ts";
import { runTar } from "./run-tar.ts";

/**
 * What is not kept: the database itself, of which a copy of one moment is; what a running server holds; what is made again
 * when it is wanted. The list of stored blobs among that: a checkpoint may be written while the folder is read.
 */
const DATABASE = "treadle.sqlite";
const LEFT_OUT = [`${DATABASE}*`, "treadle.lock*", "server.json*", "cache"];
const OF_PROJECT = /^(?:cache|prove-.*)$/;

/**
 * Data folders that are kept: the one that is named, and in it those of folders of the person's own. Each has a database;
 * relative to the first, with `/` at the end.
 */
const dataFolders = (data: string): string[] => [
  "",
  ...namesIn(join(data, "folders"))
    .map((name) => `folders/${name}/`)
    .filter((path) => existsSync(join(data, path, DATABASE))),
];

/** By their names: to tar, a `*` stands for folders as well, and a project may have a `state/cache` of its own. */
function leftOut(data: string, path: string): string[] {
  const projects = namesIn(join(data, path, "projects"));
  return [
    ...LEFT_OUT.map((name) => `./${path}${name}`),
    ...projects.flatMap((project) => [
      ...namesIn(join(data, path, "projects", project, "state"))
        .filter((name) => OF_PROJECT.test(name))
        .map((name) => `./${path}projects/${project}/state/${name}`),
      `./${path}projects/${project}/state/checkpoints.git/treadle-blobs`,
    ]),
  ];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** `treadle backup FILE`: the whole data folder in one archive, also while the server runs. */
export async function backup(command: { file: string; data?: string }): Promise<number> {
  const data = dataDirectory(command.data, process.env);
  const file = resolve(command.file);
  const scratch = mkdtempSync(join(tmpdir(), "treadle-backup-"));
  const draft = join(dirname(file), `.${basename(file)}-${process.pid}`);
  try {
    // Before the files: every checkpoint that it names is among them then.
    const folders = dataFolders(data);
    for (const path of folders) {
      mkdirSync(join(scratch, path), { recursive: true, mode: 0o700 });
      await snapshotDatabase(join(data, path), join(scratch, path, DATABASE));
    }
    // It holds keys: nobody else may read it, from its first byte on.
    const target = await open(draft, "wx", 0o600);
    try {
      const words = [
        "-czf",
        "-",
        ...folders.flatMap((path) => leftOut(data, path)).map((path) => `--exclude=${path}`),
        "-C",
        data,
        ".",
        "-C",
        scratch,
        ...folders.map((path) => path + DATABASE),
      ];
      // A file that changes while it is read is kept as it was found.
      const { input, ended } = runTar(words, { to: target.fd, ok: [0, 1] });
      input.end();
      await ended;
      await target.sync();
    } finally {
      await target.close();
    }
    await rename(draft, file);
    process.stdout.write(
      `Kept in ${file}. It holds keys and secrets: keep it as you keep those.\n`,
    );
    return 0;
  } catch (error) {
    process.stderr.write(`No backup was made: ${(error as Error).message}\n`);
    return EXIT.usage;
  } finally {
    await rm(draft, { force: true });
    rmSync(scratch, { recursive: true, force: true });
  }
}
