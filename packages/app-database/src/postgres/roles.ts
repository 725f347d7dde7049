import { randomBytes } from "node:crypto";
import { escapeIdentifier, escapeLiteral, type Pool } from "pg";
import { checkOwner, claiming } from "./owner.ts";
import { verifierOf } from "./verifier.ts";

/** Connections that one app may have open: it is held to as many before they reach the server. */
export const MOST_CONNECTIONS = 20;
/** Those of a role: its app's, and those of the copies that are open meanwhile. */
const ROLE_CONNECTIONS = 5 * MOST_CONNECTIONS;
/** For a statement of an app, in milliseconds; it may set it otherwise. */
const STATEMENT_MS = 60_000;
/** How often it is looked whether the client of a long query is still there. PostgreSQL 14 and later. */
const LOOK_AFTER_MS = 5_000;
/** What holds a lock is ended, and may be back before it is our turn. */
const HELD_TRIES = 5;
/** `lock_not_available`, `dependent_objects_still_exist`. */
const [HELD, NEEDED] = ["55P03", "2BP01"];

export const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;

/**
 * Makes a role, or gives one that is there another password.
 * @param owner the data folder whose it is from now on
 * @returns the password
 * @throws OthersDatabase where it is another folder's; nothing was changed
 */
export async function makeRole(admin: Pool, role: string, owner: string): Promise<string> {
  const password = randomBytes(24).toString("base64url");
  const name = escapeIdentifier(role);
  const { rowCount } = await admin.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
  await checkOwner(admin, [role], owner);
  // At once: what is nobody's would be the next one's who comes.
  if (rowCount === 0)
    await admin.query(
      `CREATE ROLE ${name} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION; ${claiming(role, owner)}`,
    );
  // A superuser may give a database to anybody; anybody else has to be one of them.
  await admin.query(`GRANT ${name} TO CURRENT_USER`).catch(() => undefined);
  await unheld(admin, role, async () => {
    // Earlier versions said of none whose it is.
    await admin.query(claiming(role, owner));
    await admin.query(
      `ALTER ROLE ${name} LOGIN CONNECTION LIMIT ${ROLE_CONNECTIONS} PASSWORD ${escapeLiteral(verifierOf(password))}`,
    );
    await admin.query(`ALTER ROLE ${name} SET statement_timeout = ${STATEMENT_MS}`);
    await admin.query(
      `ALTER ROLE ${name} SET idle_in_transaction_session_timeout = ${STATEMENT_MS}`,
    );
    await admin
      .query(`ALTER ROLE ${name} SET client_connection_check_interval = ${LOOK_AFTER_MS}`)
      .catch((error: unknown) => {
        if (codeOf(error) === HELD) throw error;
      });
  });
  return password;
}

/** Takes a role away. One that another app has given rights of its own to stays, and nobody can sign in as it. */
export async function dropRole(admin: Pool, role: string): Promise<void> {
  const name = escapeIdentifier(role);
  const { rowCount } = await admin.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
  if (rowCount === 0) return;
  await unheld(admin, role, async () => {
    try {
      await admin.query(`DROP ROLE IF EXISTS ${name}`);
    } catch (error) {
      if (codeOf(error) !== NEEDED) throw error;
      await admin.query(`ALTER ROLE ${name} NOLOGIN PASSWORD NULL`);
    }
  });
}

/** Makes roles of others this folder's. Who was signed in by them is not any more, and finds no way back. */
export async function takeRoles(
  admin: Pool,
  roles: readonly string[],
  owner: string,
): Promise<void> {
  for (const role of roles) {
    await unheld(admin, role, async () => {
      await admin.query(
        `ALTER ROLE ${escapeIdentifier(role)} PASSWORD NULL; ${claiming(role, owner)}`,
      );
    });
    await endSessionsOf(admin, role);
  }
}

const endSessionsOf = (admin: Pool, role: string) =>
  admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", [role]);

/**
 * An app may change its own role, and hold the lock of that for good: whatever else waits for a connection of ours would wait
 * for it. Where it does, all that the role has open is ended.
 */
async function unheld(admin: Pool, role: string, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (codeOf(error) !== HELD || tries === HELD_TRIES) throw error;
      await endSessionsOf(admin, role);
    }
  }
}
