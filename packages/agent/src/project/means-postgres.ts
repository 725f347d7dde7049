import { isRecord } from "../text/is-record.ts";
import { POSTGRES_CLIENTS } from "@treadle/workspace";

/** Matches the project's own package.json, and those at most two folders below. */
const MANIFEST = /^(?:(?!\.|node_modules\/)[^/]+\/){0,2}package\.json$/;
/** Matches environment files in the same places. */
const ENVIRONMENT = /^(?:(?!\.|node_modules\/)[^/]+\/){0,2}\.env[^/]*$/;
const MOST_FILES = 20;

type Read = (path: string) => Promise<string | undefined>;

/**
 * Whether a project's files show that it stores its data in PostgreSQL: by `treadle.json`, or by a client library in a
 * package.json of the root or at most two folders below. The programs inside the sandbox use the same rule.
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

/**
 * Whether a line or a sentence refers to PostgreSQL, by what is the same in every language: its name, its port or its
 * variables.
 */
export const namesPostgres = (text: string): boolean =>
  /postgres|psql|(?<!\d)5432(?!\d)/i.test(text) ||
  /^\s*(?:export\s+)?PG(?:HOST|DATABASE)=/.test(text);

/** The parsed object; empty unless the text is a JSON object. */
function objectIn(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse((text ?? "").replace(/^\uFEFF/, ""));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
