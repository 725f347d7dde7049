import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { containerFiles, LOCK_FILES, type ContainerFiles } from "@treadle/server";
import { isSqliteFile } from "@treadle/protocol/project-path";
import { meansPostgres } from "@treadle/workspace";
import { isRecord, readMadeFile, readMadeManifest } from "@treadle/common/made-file";

/** Maximum size of a lock file that is read, in bytes. */
const LOCK_BYTES = 16 * 1024 * 1024;

/**
 * Files that build and run a folder's project in a container without Treadle.
 * @param directory of the project, absolute
 */
export function containerFilesOf(directory: string): ContainerFiles {
  // Values from generated files are used only if they have the expected form.
  const { scripts, dependencies } = readMadeManifest(directory) ?? {};
  return containerFiles({
    scripts: isRecord(scripts) ? scripts : {},
    dependencies: isRecord(dependencies) ? dependencies : {},
    has: (path) => existsSync(join(directory, path)),
    migrations: ["migrations", "supabase/migrations"].some((folder) =>
      existsSync(join(directory, folder)),
    ),
    postgres: meansPostgres(directory),
    data: databasesIn(directory),
    lock: LOCK_FILES.map((name) => readMadeFile(directory, name, LOCK_BYTES)).find(
      (text) => text !== undefined,
    ),
  });
}

/** Databases that the app created: beside its sources, or in one of their folders. */
function databasesIn(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  const folders = entries.filter(
    (entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name),
  );
  return ["", ...folders.map(({ name }) => `${name}/`)].flatMap((folder) =>
    readdirSync(join(directory, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && isSqliteFile(entry.name))
      .map(({ name }) => folder + name),
  );
}
