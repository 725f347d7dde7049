import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import type { CopiedDatabase } from "@treadle/workspace";
import { type ClientConfig, escapeIdentifier, Pool, type QueryConfig } from "pg";
import { copyDatabase } from "./copy-database.ts";
import { digestDatabase } from "./digest-database.ts";
import {
  copyBeginning,
  databaseNames,
  type DatabaseNames,
  namesOfProject,
  projectOf,
} from "./names.ts";
import { checkOwner, claimLeft, rolesOfOthers } from "./owner.ts";
import { codeOf, dropRole, makeRole, MOST_CONNECTIONS, takeRoles } from "./roles.ts";
import { createSessions, type Sessions, type Way } from "./session.ts";

/** Time limits for a connection, and for a lock that an app may hold, in milliseconds. */
const CONNECT_MS = 10_000;
const LOCK_MS = 3_000;
/**
 * Number of attempts to copy a database, which nobody may be connected to: clients disconnect a little after they are
 * asked to.
 */
const COPY_TRIES = 20;
/** Maximum size of a database that is copied for a temporary copy of an app, in bytes. */
const MAX_COPY_BYTES = 512 * 1024 * 1024;
/** `object_in_use`. */
const IN_USE = "55006";
/** `duplicate_database`, `unique_violation`: another process was faster. */
const THERE = ["42P04", "23505"];

/**
 * The PostgreSQL databases of apps, on the configured server; each project and environment has its
 * own. Databases of another data folder are left alone: operations on them reject with
 * `OthersDatabase`.
 */
export interface AppsPostgres {
  /**
   * Returns a function that connects a program in this sandbox to the sandbox's database, which is created for the
   * first connection.
   */
  take(sandbox: string): (connection: Duplex) => void;
  /** Whether the app in this sandbox has ever connected to its database. */
  has(sandbox: string): Promise<boolean>;
  /** Replaces a database by a copy of another. Disconnects all clients of both. */
  copy(from: string, to: string): Promise<void>;
  /**
   * Creates a separate database for a temporary copy of an app, with the current content. Does not
   * disturb clients of the original. If the app has none yet, or the copy is to be empty, it is
   * created for the copy's first connection.
   * @throws Error if it is too large, or cannot be copied while clients are connected
   */
  openCopy(sandbox: string, how?: { empty: boolean }): Promise<CopiedDatabase>;
  /**
   * Copies an app's database into an empty one elsewhere. Does not disturb connected clients.
   * @returns false if the app has none
   * @throws CannotCopy for a schema that cannot be recreated
   */
  copyOut(sandbox: string, to: ClientConfig): Promise<boolean>;
  /** Removes databases of these projects' copies that are not open, left by a killed server. */
  removeLeftCopies(projects: readonly string[]): Promise<void>;
  /** Removes the database of one release, if any. */
  remove(sandbox: string): Promise<void>;
  /** Removes all databases and roles of a project. */
  removeProject(project: string): Promise<void>;
  /** Whether the server is reachable and usable. */
  probe(): Promise<{ ok: boolean; detail: string }>;
  /**
   * Those of these projects whose databases belong to another data folder, of which this one is a
   * copy.
   */
  ofOthers(projects: readonly string[]): Promise<string[]>;
  /** Claims databases of these projects that an earlier version left without an owner. */
  claim(projects: readonly string[]): Promise<void>;
  /**
   * Takes over the databases of these projects if a person confirms that the folder was moved and does not run
   * elsewhere.
   */
  takeOver(projects: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const rolesOf = (projects: readonly string[]) =>
  projects.flatMap((project) => namesOfProject(project).roles);

/** Describes an error of the server by its code, without the server's own message, which names the role. */
function whyNot(code: string): string {
  // Invalid authorization, or a missing database: the server was reached.
  if (code.startsWith("28"))
    return `does not let its role in (${code}): check its name and password`;
  if (code === "3D000") return `has no database with that name (${code})`;
  return `cannot be reached (${code})`;
}

/**
 * Opens the apps' databases on a PostgreSQL server.
 * @param url of a role that may create databases and roles (`CREATEDB CREATEROLE`, or a superuser):
 * `postgres://role:password@host:5432/postgres`. It stays on the server.
 * @param owner identifies the data folder
 * @param enter keeps the server up for a project until the returned function is called. Called for each session and
 * each use of a copy; other operations need a server that is up.
 */
export function openAppsPostgres(
  url: string,
  owner: () => string,
  enter: (project: string) => Promise<() => void> = async () => () => {},
): AppsPostgres {
  const admin = new Pool({
    connectionString: url,
    max: 3,
    idleTimeoutMillis: 10_000,
    connectionTimeoutMillis: CONNECT_MS,
    lock_timeout: LOCK_MS,
    allowExitOnIdle: true,
  });
  admin.on("error", () => undefined);
  /** Passwords by role, only in this process: each start sets new ones. */
  const passwords = new Map<string, Promise<string>>();
  const made = new Map<string, Promise<void>>();
  const sessions = new Map<string, Sessions>();
  /** Databases of open copies. */
  const openCopies = new Set<string>();
  /** Operations in progress per database; sessions wait for them. */
  const busy = new Map<string, Promise<unknown>>();

  const exists = async (database: string) =>
    (
      await admin.query({
        text: "SELECT 1 FROM pg_database WHERE datname = $1",
        values: [database],
        // A server may stop answering without closing the connection. Slower queries follow only after this one.
        query_timeout: CONNECT_MS,
      } as QueryConfig)
    ).rowCount === 1;

  function passwordOf(role: string): Promise<string> {
    const known = passwords.get(role) ?? makeRole(admin, role, owner());
    passwords.set(role, known);
    known.catch(() => passwords.delete(role));
    return known;
  }

  const checkMine = (project: string) => checkOwner(admin, namesOfProject(project).roles, owner());

  async function makeDatabase(database: string, role: string, template: string): Promise<void> {
    const name = escapeIdentifier(database);
    await admin.query(
      `CREATE DATABASE ${name} OWNER ${escapeIdentifier(role)} TEMPLATE ${escapeIdentifier(template)}`,
    );
    await admin.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  }

  function ensure({ database, role }: DatabaseNames): Promise<void> {
    const known =
      made.get(database) ??
      passwordOf(role).then(async () => {
        if (await exists(database)) return;
        await makeDatabase(database, role, "template0").catch((error: unknown) => {
          if (!THERE.includes(codeOf(error) ?? "")) throw error;
        });
      });
    made.set(database, known);
    known.catch(() => made.delete(database));
    return known;
  }

  /** The connection settings of an app. */
  async function configOf({ database, role }: DatabaseNames): Promise<ClientConfig> {
    // Values in an address override those given separately, and parameters after its `?` override
    // all: a role or socket there would sign the app in with that role.
    const address = new URL(url);
    address.username = "";
    address.password = "";
    address.pathname = encodeURIComponent(database);
    address.searchParams.set("user", role);
    address.searchParams.set("password", await passwordOf(role));
    return { connectionString: address.href, connectionTimeoutMillis: CONNECT_MS };
  }

  async function reach(names: DatabaseNames): Promise<Way> {
    const { database, role } = names;
    await busy.get(database);
    await ensure(names);
    const [password, there] = [passwordOf(role), made.get(database)];
    return {
      role,
      config: await configOf(names),
      forget() {
        // Many connections may be refused at once: they share the new password.
        if (passwords.get(role) === password) passwords.delete(role);
        if (made.get(database) === there) made.delete(database);
      },
    };
  }

  const endSessions = (database: string) =>
    admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
      database,
    ]);

  async function drop(database: string): Promise<void> {
    made.delete(database);
    if (!(await exists(database))) return;
    const name = escapeIdentifier(database);
    // Its owner may have locked it, or marked it as a template, which cannot be dropped.
    await endSessions(database);
    await admin.query(`ALTER DATABASE ${name} IS_TEMPLATE false`);
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  const sessionsOf = (names: DatabaseNames, onEnter: () => Promise<() => void>): Sessions =>
    createSessions(
      () => reach(names),
      async (process) => {
        await admin.query(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND datname = $2",
          [process, names.database],
        );
      },
      { most: MOST_CONNECTIONS, enter: onEnter },
    );

  /** Runs a function while the server is kept up. */
  async function during<Result>(project: string, work: () => Promise<Result>): Promise<Result> {
    const leave = await enter(project);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Removes databases of copies that were open when the server ended. */
  async function dropLeftCopies(projects: readonly string[]): Promise<void> {
    const { rows } = await admin.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS beginning WHERE starts_with(datname, beginning))",
      [projects.map(copyBeginning)],
    );
    for (const { datname } of rows) if (!openCopies.has(datname)) await drop(datname);
  }

  /** Fills a new database with the content of another. */
  async function fillCopy(source: DatabaseNames, copy: DatabaseNames): Promise<void> {
    await passwordOf(source.role);
    const { rows } = await admin.query<{ bytes: string; sessions: string }>(
      "SELECT pg_database_size($1) AS bytes, (SELECT count(*) FROM pg_stat_activity WHERE datname = $1) AS sessions",
      [source.database],
    );
    const { bytes = "0", sessions: connected = "0" } = rows[0] ?? {};
    if (Number(bytes) > MAX_COPY_BYTES)
      throw new Error(`the app's database is larger than ${MAX_COPY_BYTES / 1024 / 1024} MB`);
    if (Number(connected) === 0)
      try {
        return await makeDatabase(copy.database, copy.role, source.database);
      } catch (error) {
        if (codeOf(error) !== IN_USE) throw error;
      }
    await makeDatabase(copy.database, copy.role, "template0");
    await copyDatabase(await configOf(source), await configOf(copy));
  }

  /** Runs a function while new connections to these databases wait. */
  async function alone<Result>(databases: string[], work: () => Promise<Result>): Promise<Result> {
    const before = Promise.all(databases.map((database) => busy.get(database)));
    const working = before.then(work);
    const settled = working.then(
      () => undefined,
      () => undefined,
    );
    for (const database of databases) busy.set(database, settled);
    void settled.then(() => {
      for (const database of databases) if (busy.get(database) === settled) busy.delete(database);
    });
    return working;
  }

  return {
    take(sandbox) {
      let session = sessions.get(sandbox);
      if (!session) {
        session = sessionsOf(databaseNames(sandbox), () => enter(projectOf(sandbox)));
        sessions.set(sandbox, session);
      }
      return (connection) => void session.take(connection);
    },
    async has(sandbox) {
      const { database } = databaseNames(sandbox);
      if (!(await exists(database))) return false;
      await checkMine(projectOf(sandbox));
      return true;
    },
    async copy(from, to) {
      await checkMine(projectOf(from));
      await checkMine(projectOf(to));
      const [source, target] = [databaseNames(from), databaseNames(to)];
      await alone([source.database, target.database], async () => {
        await passwordOf(target.role);
        await drop(target.database);
        for (let tries = 1; ; tries++) {
          await endSessions(source.database);
          try {
            return await makeDatabase(target.database, target.role, source.database);
          } catch (error) {
            if (codeOf(error) !== IN_USE || tries === COPY_TRIES) throw error;
          }
        }
      });
    },
    async openCopy(sandbox, { empty } = { empty: false }) {
      const source = databaseNames(sandbox);
      const project = projectOf(sandbox);
      const database = copyBeginning(project) + randomBytes(4).toString("hex");
      const copy = { database, role: source.role };
      openCopies.add(database);
      /** Whether the database may exist, to avoid queries about one that was never created. */
      let mayExist = false;
      const end = async () => {
        const has = await exists(database).catch(() => false);
        if (has) await drop(database);
        openCopies.delete(database);
      };
      // An unreachable server has nothing to copy: a client that connects gets the error.
      const leave = empty ? undefined : await enter(project).catch(() => undefined);
      if (leave && (await exists(source.database).catch(() => false)))
        try {
          await checkMine(project);
          await dropLeftCopies([project]);
          await fillCopy(source, copy);
          made.set(database, Promise.resolve());
          mayExist = true;
        } catch (error) {
          await end().catch(() => undefined);
          leave();
          throw error;
        }
      const copied = sessionsOf(copy, () => {
        mayExist = true;
        return enter(project);
      });
      return {
        take: (connection) => void copied.take(connection),
        digest: () =>
          mayExist
            ? during(project, async () =>
                (await exists(database)) ? digestDatabase(await configOf(copy)) : undefined,
              )
            : Promise.resolve(undefined),
        async drop() {
          copied.end();
          leave?.();
          if (mayExist) await during(project, end);
          else openCopies.delete(database);
        },
      };
    },
    async copyOut(sandbox, to) {
      const names = databaseNames(sandbox);
      if (!(await exists(names.database))) return false;
      await checkMine(projectOf(sandbox));
      await copyDatabase(await configOf(names), to);
      return true;
    },
    removeLeftCopies: (projects) => dropLeftCopies(projects),
    async remove(sandbox) {
      const { database } = databaseNames(sandbox);
      // Programs that still run there must not get a new one by reconnecting.
      sessions.get(sandbox)?.end();
      sessions.delete(sandbox);
      await alone([database], async () => {
        await checkMine(projectOf(sandbox));
        await drop(database);
      });
    },
    async removeProject(project) {
      const { beginnings, roles } = namesOfProject(project);
      await checkMine(project);
      const { rows } = await admin.query<{ datname: string }>(
        "SELECT datname FROM pg_database WHERE datname = $1 OR starts_with(datname, $2) OR starts_with(datname, $3)",
        beginnings,
      );
      for (const { datname } of rows) await alone([datname], () => drop(datname));
      for (const role of roles) {
        passwords.delete(role);
        await dropRole(admin, role);
      }
    },
    async probe() {
      try {
        const { rows } = await admin.query<{ version: string; may: boolean }>(
          "SELECT current_setting('server_version') AS version, (rolsuper OR (rolcreatedb AND rolcreaterole)) AS may FROM pg_roles WHERE rolname = current_user",
        );
        const { version, may } = rows[0]!;
        return may
          ? { ok: true, detail: `PostgreSQL ${version}` }
          : {
              ok: false,
              detail: `PostgreSQL ${version}: the role of TREADLE_APPS_DATABASE_URL may not create databases and roles. As a superuser: ALTER ROLE … CREATEDB CREATEROLE`,
            };
      } catch (error) {
        return {
          ok: false,
          detail: `The PostgreSQL server of TREADLE_APPS_DATABASE_URL ${whyNot(codeOf(error) ?? "no answer")}.`,
        };
      }
    },
    async ofOthers(projects) {
      const others = await rolesOfOthers(admin, rolesOf(projects), owner());
      return projects.filter((project) =>
        namesOfProject(project).roles.some((role) => others.includes(role)),
      );
    },
    claim: (projects) => claimLeft(admin, rolesOf(projects), owner()),
    async takeOver(projects) {
      const roles = rolesOf(projects);
      await takeRoles(admin, await rolesOfOthers(admin, roles, owner()), owner());
    },
    async close() {
      for (const session of sessions.values()) session.end();
      await admin.end();
    },
  };
}
