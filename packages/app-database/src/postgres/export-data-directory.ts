import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { removeTree, type WorkspaceDriver } from "@treadle/workspace";
import { Client, escapeIdentifier, escapeLiteral } from "pg";
import type { AppsPostgres } from "./apps-postgres.ts";
import { verifierOf } from "./verifier.ts";

const run = promisify(execFile);

export interface DataDirectoryOptions {
  /**
   * Major version of PostgreSQL, 14 to 18; default 14. Its programs are downloaded if the machine
   * has none.
   */
  version?: number;
  /** The role that owns the database, and its password. */
  role?: string;
  password?: string;
  database?: string;
}

/**
 * Creates a PostgreSQL data directory with an app's current database, for a server elsewhere:
 * cleanly shut down, with one role and one database, password authentication over the network, and
 * `postgres` only by the socket.
 * @param apps absent: the app cannot have a database, and an empty one is created
 * @param sandbox the project's id
 * @param folder absolute; missing or empty
 * @throws Error with a message for people if the folder is not empty, or there are no programs of
 * that version
 */
export async function exportDataDirectory(
  { apps, driver }: { apps: AppsPostgres | undefined; driver: WorkspaceDriver },
  sandbox: string,
  folder: string,
  options: DataDirectoryOptions = {},
): Promise<void> {
  const { version = 14, role = "myappuser", password = "myapppassword" } = options;
  const { database = "myapp" } = options;
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty.`);
  // On the same disk, so that it can be renamed into place.
  const scratch = join(
    dirname(folder),
    `.${basename(folder)}-making-${randomBytes(4).toString("hex")}`,
  );
  const server = driver.servePostgres?.({ directory: scratch, major: version });
  if (!server) throw new Error("No PostgreSQL can be run here: that needs a sandbox on Linux.");
  try {
    await server.lease();
    await asSuperuser(server.url, [
      `CREATE ROLE ${escapeIdentifier(role)} LOGIN PASSWORD ${escapeLiteral(verifierOf(password))}`,
      `CREATE DATABASE ${escapeIdentifier(database)} OWNER ${escapeIdentifier(role)} TEMPLATE template0`,
    ]);
    const target = new URL(server.url);
    target.pathname = encodeURIComponent(database);
    target.searchParams.set("user", role);
    await apps?.copyOut(sandbox, { connectionString: target.href });
    await server.close();
    const main = join(scratch, "main");
    await writeFile(join(main, "pg_hba.conf"), LET_IN);
    await appendFile(join(main, "postgresql.conf"), "listen_addresses = '*'\n");
    if (process.getuid?.() === 0) await run("chown", ["-R", "-h", "-P", "0:0", main]);
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(main, folder);
  } finally {
    await server.close();
    await removeTree(scratch);
  }
}

const LET_IN = `local all all trust
host all all 0.0.0.0/0 scram-sha-256
host all all ::0/0 scram-sha-256
`;

async function asSuperuser(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
