import { randomBytes } from "node:crypto";
import { escapeIdentifier, escapeLiteral, type Pool } from "pg";
import { checkOwner, claiming } from "./owner.ts";
import { verifierOf } from "./verifier.ts";

/** Maximum connections of one app, limited before they reach the server. */
export const MOST_CONNECTIONS = 20;
/** Maximum connections of a role: its app's, and those of open copies. */
const ROLE_CONNECTIONS = 5 * MOST_CONNECTIONS;
/** Default time limit of an app's statement, in milliseconds; the app may change it. */
const STATEMENT_MS = 60_000;
/**
 * Interval in milliseconds at which PostgreSQL (14 and later) checks that the client of a long query is still
 * connected.
 */
const LOOK_AFTER_MS = 5_000;
/** Number of attempts to end the holder of a lock, which may reconnect in between. */
const HELD_TRIES = 5;
/** `lock_not_available`, `dependent_objects_still_exist`. */
const [HELD, NEEDED] = ["55P03", "2BP01"];

export const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;

/**
 * Creates a role, or sets a new password for an existing one.
 * @param owner the role's data folder from now on
 * @returns the password
 * @throws OthersDatabase if it belongs to another folder; nothing was changed
 */
export async function makeRole(admin: Pool, role: string, owner: string): Promise<string> {
  const password = randomBytes(24).toString("base64url");
  const name = escapeIdentifier(role);
  const { rowCount } = await admin.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
  await checkOwner(admin, [role], owner);
  // In one transaction: a role without an owner could be claimed by another folder.
  if (rowCount === 0)
    await admin.query(
      `CREATE ROLE ${name} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION; ${claiming(role, owner)}`,
    );
  // A superuser may give a database to any role; others have to be a member of it.
  await admin.query(`GRANT ${name} TO CURRENT_USER`).catch(() => undefined);
  await unheld(admin, role, async () => {
    // Earlier versions recorded no owner.
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

/**
 * Removes a role. One that was granted rights by another app stays, but nobody can sign in with it.
 */
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

/** Takes over roles of other folders. Their sessions end, and cannot be reopened. */
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
 * Runs a function that changes a role. An app may change its own role too, and lock it forever, which would block
 * Treadle's connections. If so, ends all sessions of the role and tries again.
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
