import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readAppsPostgres } from "@treadle/app-database";
import type { AppsPostgres } from "@treadle/app-database";

/**
 * Projects of this data folder whose PostgreSQL databases belong to another one, because one of the folders is a
 * copy. Empty if no server is configured. Rejects if the server is unreachable.
 */
export function databasesOfOthers(
  env: NodeJS.ProcessEnv,
  dataDirectory: string,
): Promise<string[]> {
  return runFor(env, dataDirectory, (postgres, projects) => postgres.ofOthers(projects));
}

/**
 * At the server's start: claims the databases of this folder's projects, removes copies that were left over, and
 * reports databases that belong to another data folder. Does nothing if PostgreSQL is unreachable.
 */
export async function seeToDatabases(
  postgres: Pick<AppsPostgres, "claim" | "ofOthers" | "removeLeftCopies">,
  dataDirectory: string,
  onNotice: (text: string) => void,
): Promise<void> {
  const projects = projectsIn(dataDirectory);
  try {
    await postgres.claim(projects);
    const others = await postgres.ofOthers(projects);
    await postgres.removeLeftCopies(projects.filter((project) => !others.includes(project)));
    if (others.length > 0)
      onNotice(
        `The PostgreSQL databases of ${others.length === 1 ? "one project" : `${others.length} projects`} belong to another data folder, and are refused to this one: treadle doctor says what to do.`,
      );
  } catch {
    // Apps that need PostgreSQL, and `treadle doctor`, report the problem.
  }
}

/**
 * Assigns to this data folder the databases of its projects that belong to another one.
 * @returns the affected projects
 * @throws Error with a sentence if no server is configured, or it is unreachable
 */
export async function takeDatabases(
  env: NodeJS.ProcessEnv,
  dataDirectory: string,
): Promise<string[]> {
  if (!env.TREADLE_APPS_DATABASE_URL)
    throw new Error("TREADLE_APPS_DATABASE_URL names no PostgreSQL server.");
  return runFor(env, dataDirectory, async (postgres, projects) => {
    const { ok, detail } = await postgres.probe();
    if (!ok) throw new Error(detail);
    const others = await postgres.ofOthers(projects);
    await postgres.takeOver(others);
    return others;
  });
}

/**
 * Calls a function for the data folder, and for the data folder of each personal folder in which a command worked.
 * Skips those without projects or a configured server.
 * @returns all results together
 */
async function runFor(
  env: NodeJS.ProcessEnv,
  dataDirectory: string,
  work: (postgres: AppsPostgres, projects: readonly string[]) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  const own = join(dataDirectory, "folders");
  for (const folder of [dataDirectory, ...namesIn(own).map((name) => join(own, name))]) {
    const projects = projectsIn(folder);
    const postgres = projects.length > 0 ? readAppsPostgres(env, folder) : undefined;
    if (!postgres) continue;
    try {
      found.push(...(await work(postgres, projects)));
    } finally {
      await postgres.close();
    }
  }
  return found;
}

const projectsIn = (folder: string) => namesIn(join(folder, "projects"));

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
