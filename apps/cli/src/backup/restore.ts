import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { faultOfDatabase, moveToPostgres } from "@treadle/server";
import { EXIT } from "../terminal/exit-status.ts";
import { dataDirectory } from "../folders/data-directory.ts";
import { shellWord } from "../arguments/shell-word.ts";
import { stopBySignal } from "../terminal/stop-by-signal.ts";
import { plain } from "../terminal/plain.ts";
import { faultOfRestored } from "./restored-folder.ts";
import { unpack } from "./unpack.ts";

/**
 * `treadle restore FILE`: restores a data folder from a backup, where none exists yet. Either completely or not at all.
 * With `DATABASE_URL` its projects then move to that database.
 */
export const restore = (command: { file: string; data?: string }): Promise<number> =>
  stopBySignal((signal) => restoreUnless(signal, command));

async function restoreUnless(
  signal: AbortSignal,
  command: { file: string; data?: string },
): Promise<number> {
  const data = dataDirectory(command.data, process.env);
  if (holdsSomething(data)) {
    process.stderr.write(
      `${data} is not empty and was left as it is. Name another folder with --data, or move this one away first.\n`,
    );
    return EXIT.usage;
  }
  let scratch: string | undefined;
  try {
    mkdirSync(dirname(data), { recursive: true });
    scratch = mkdtempSync(`${data}-restoring-`);
    await unpack(resolve(command.file), scratch, { signal });
    const strange = faultOfRestored(scratch);
    if (strange !== undefined) throw new Error(strange);
    const fault = faultOfDatabase(scratch);
    if (fault !== undefined) throw new Error(`its database cannot be used: ${fault}`);
    signal.throwIfAborted();
    if (holdsSomething(data)) throw new Error(`${data} was filled meanwhile`);
    try {
      rmdirSync(data);
    } catch {
      // The folder did not exist.
    }
    renameSync(scratch, data);
    const start =
      command.data === undefined ? "treadle serve" : `treadle serve --data ${shellWord(data)}`;
    process.stdout.write(`Restored to ${data}. It starts with: ${start}\n`);
    const isMoved = await moveProjects(data, process.env.DATABASE_URL);
    if (process.env.TREADLE_APPS_DATABASE_URL)
      process.stdout.write(
        `The PostgreSQL databases still belong to the other folder. If this one replaces it: treadle doctor --take-databases${command.data === undefined ? "" : ` --data ${shellWord(data)}`}\n`,
      );
    return isMoved ? 0 : EXIT.failed;
  } catch (error) {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
    process.stderr.write(
      `Nothing was restored: ${plain(((signal.aborted ? signal.reason : error) as Error).message)}\n`,
    );
    return EXIT.usage;
  }
}

/** Moves restored projects to the PostgreSQL database, if one is given. @returns false if that failed */
async function moveProjects(data: string, database: string | undefined): Promise<boolean> {
  if (!database) return true;
  try {
    await moveToPostgres(data, database);
    process.stdout.write("Its projects are in PostgreSQL, where DATABASE_URL says.\n");
    return true;
  } catch (error) {
    process.stderr.write(
      `Its projects are in SQLite, and were not moved to PostgreSQL: ${plain((error as Error).message)}\n`,
    );
    return false;
  }
}

function holdsSomething(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}
