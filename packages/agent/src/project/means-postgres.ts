import { isRecord } from "../text/is-record.ts";
import { POSTGRES_CLIENTS } from "@treadle/workspace";

/** The project's own package.json, and those at most two folders below. */
const MANIFEST = /^(?:(?!\.|node_modules\/)[^/]+\/){0,2}package\.json$/;
/** Files of an environment, in the same places. */
const ENVIRONMENT = /^(?:(?!\.|node_modules\/)[^/]+\/){0,2}\.env[^/]*$/;
const MOST_FILES = 20;

type Read = (path: string) => Promise<string | undefined>;

/**
 * Whether a project's files say that it keeps its data in PostgreSQL: as `treadle.json` says, or as a client of it does, in
 * the root or two folders below. What runs inside decides by the same.
 */
export async function meansPostgres(paths: Iterable<string>, read: Read): Promise<boolean> {
  const names = [...paths];
  const database =
    names.includes("treadle.json") && objectIn(await read("treadle.json"))["database"];
  if (database === "postgres" || database === "sqlite") return database === "postgres";
  for (const name of names.filter((path) => MANIFEST.test(path)).slice(0, MOST_FILES)) {
    const { dependencies, devDependencies } = objectIn(await read(name));
    const has = (client: string) =>
      [dependencies, devDependencies].some((all) => isRecord(all) && Object.hasOwn(all, client));
    if (POSTGRES_CLIENTS.some(has)) return true;
  }
  return false;
}

/**
 * Whether an environment file of the project refers to PostgreSQL by its address, its port or its variables. Values are
 * only inspected here and never passed on.
 */
export async function environmentNamesPostgres(
  paths: Iterable<string>,
  read: Read,
): Promise<boolean> {
  for (const path of [...paths].filter((one) => ENVIRONMENT.test(one)).slice(0, MOST_FILES)) {
    const lines = ((await read(path)) ?? "").split("\n");
    if (lines.some((line) => namesPostgres(line))) return true;
  }
  return false;
}

/** Whether a line or a sentence leads to PostgreSQL, by what stays the same in every language: its name, or its port. */
export const namesPostgres = (text: string): boolean =>
  /postgres|psql|(?<!\d)5432(?!\d)/i.test(text) ||
  /^\s*(?:export\s+)?PG(?:HOST|DATABASE)=/.test(text);

/** Empty unless it is a JSON object. */
function objectIn(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse((text ?? "").replace(/^\uFEFF/, ""));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
