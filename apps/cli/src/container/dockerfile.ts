import { existsSync } from "node:fs";
import { join } from "node:path";
import { containerFiles, type ContainerFiles } from "@treadle/server";
import { meansPostgres } from "@treadle/workspace";
import { isRecord, readMadeManifest } from "../made-file.ts";

/**
 * What builds and runs the project in a folder in a container without Treadle.
 * @param directory of the project, absolute
 */
export function containerFilesOf(directory: string): ContainerFiles {
  // What generated code says of itself, as far as it is what it has to be.
  const { scripts, dependencies } = readMadeManifest(directory) ?? {};
  return containerFiles({
    scripts: isRecord(scripts) ? scripts : {},
    dependencies: isRecord(dependencies) ? dependencies : {},
    has: (path) => existsSync(join(directory, path)),
    migrations: ["migrations", "supabase/migrations"].some((folder) =>
      existsSync(join(directory, folder)),
    ),
    postgres: meansPostgres(directory),
  });
}
