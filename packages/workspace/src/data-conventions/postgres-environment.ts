import { join } from "node:path";
import { parseEnv } from "node:util";
import { POSTGRES_ADDRESS, POSTGRES_PORT } from "@treadle/egress/postgres-address";
import { readSmall } from "./read-small.ts";
import { foldersOf, meansPostgres } from "./uses-postgres.ts";

type Environment = Record<string, string | undefined>;

/** Variables that PostgreSQL clients read by themselves, as set by the sandbox. */
const CLIENT_NAMES = Object.keys(POSTGRES_ADDRESS);
/** The same values under the names that apps use. */
const APP_NAMES = {
  host: ["DB_HOST"],
  port: ["DB_PORT"],
  user: ["DB_USER", "DB_USERNAME"],
  password: ["DB_PASSWORD"],
  database: ["DB_NAME", "DB_DATABASE"],
};
const HOSTS = ["PGHOST", ...APP_NAMES.host];
const URL_NAME = "DATABASE_URL";

/** All environment variables from which an app may read its database's address. */
export const DATABASE_NAMES = [
  URL_NAME,
  ...CLIENT_NAMES,
  "PGPASSWORD",
  ...Object.values(APP_NAMES).flat(),
];

/** Environment files as named by dotenv, Vite and Next.js, without examples. */
const FILES = ["", ".development", ".production", ".test"].flatMap((mode) => [
  `.env${mode}`,
  `.env${mode}.local`,
]);
/** Maximum size of one such file, in bytes. */
const FILE_BYTES = 64 * 1024;

/**
 * The user and password for an app that names none: any are accepted, because the sandbox signs in
 * for it.
 */
const ANY = "app";
const LOCAL = /^(?:localhost|127\.0\.0\.1|::1|\[::1\])?$/i;

/**
 * The environment of an app's process in a sandbox with PostgreSQL. `PG…` give its address;
 * `DATABASE_URL` and `DB_…` do too if the project's files indicate PostgreSQL. Variables in its own
 * `.env` (or `more`) are left to it, and nothing is added to an address that leads elsewhere.
 * @param base with `PGHOST` and the others if there is a PostgreSQL; returned unchanged if not
 * @param more additional variables of this process, such as the project's
 */
export function postgresEnvironment(
  root: string,
  base: Record<string, string>,
  more: Environment = {},
): Record<string, string> {
  if (!base["PGHOST"]) return base;
  const folders = foldersOf(root);
  const own: Environment = { ...readEnvironments(folders), ...more };
  const env = { ...base };
  const names = (name: string) => own[name] !== undefined;
  const isElsewhere = namesOtherDatabase(own);
  for (const name of CLIENT_NAMES) if (isElsewhere || names(name)) delete env[name];
  if (isElsewhere || !meansPostgres(root, folders)) return env;
  const first = (all: readonly string[], usual: string) =>
    all.map((name) => own[name]).find((value) => value !== undefined && value !== "") ?? usual;
  const values = {
    host: "localhost",
    port: String(POSTGRES_PORT),
    user: first([...APP_NAMES.user, "PGUSER"], ANY),
    password: first([...APP_NAMES.password, "PGPASSWORD"], ANY),
    database: first([...APP_NAMES.database, "PGDATABASE"], ANY),
  };
  const { host, port, user, password, database } = values;
  const [as, by, to] = [user, password, database].map(encodeURIComponent);
  env[URL_NAME] = `postgres://${as}:${by}@${host}:${port}/${to}`;
  for (const [part, all] of Object.entries(APP_NAMES))
    for (const name of all) env[name] = values[part as keyof typeof values];
  for (const name of DATABASE_NAMES) if (names(name)) delete env[name];
  return env;
}

/** Whether an environment leads to a database server other than the sandbox's own. */
export const namesOtherDatabase = (own: Readonly<Environment>): boolean =>
  HOSTS.some((name) => !LOCAL.test(own[name] ?? "")) || !LOCAL.test(hostOf(own[URL_NAME]));

/** The variables in the environment files of these folders; earlier folders have precedence. */
function readEnvironments(folders: readonly string[]): Environment {
  const all: Environment = {};
  for (const folder of folders)
    for (const name of FILES) {
      const found = parseEnv(readSmall(join(folder, name), FILE_BYTES) ?? "");
      for (const [variable, value] of Object.entries(found)) all[variable] ??= value;
    }
  return all;
}

/** The host of an address; empty if the address is missing or invalid. */
const hostOf = (address = ""): string => URL.parse(address)?.hostname ?? "";
