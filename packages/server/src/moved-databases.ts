import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readAppsPostgres } from "@treadle/app-database";
import type { AppsPostgres } from "@treadle/app-database";

/**
 * Projects of a data folder whose PostgreSQL databases are another's, of which this one is a copy. Rejects where the server is
 * not reached.
 */
export function databasesOfOthers(
  env: NodeJS.ProcessEnv,
  dataDirectory: string,
): Promise<string[]> {
  return runFor(env, dataDirectory, (postgres, projects) => postgres.ofOthers(projects));
}

/** What a server that starts does with its projects' databases; where PostgreSQL is not reached, nothing. */
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
    // Each app says so that wants it, and doctor.
  }
}

/**
 * Makes them this folder's. @returns the projects that it was done for
 * @throws Error with a sentence where no server is named, or it is not reached
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

/** A folder of the person's own that was worked in has a data folder of its own. */
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
