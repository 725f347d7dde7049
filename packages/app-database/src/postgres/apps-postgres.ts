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

/** For a connection to stand, and for a lock that an app may hold, in milliseconds. */
const CONNECT_MS = 10_000;
const LOCK_MS = 3_000;
/** A database can be copied once nobody is in it: whoever was is gone a little after being told so. */
const COPY_TRIES = 20;
/** Bytes of a database that is copied for a look. */
const MAX_COPY_BYTES = 512 * 1024 * 1024;
/** `object_in_use`. */
const IN_USE = "55006";
/** `duplicate_database`, `unique_violation`: another process was as quick. */
const THERE = ["42P04", "23505"];

/**
 * The PostgreSQL databases of apps, on a server that the person names; each project and environment has its own. Those of
 * another data folder are left as they are: whatever would reach or change one rejects with `OthersDatabase`.
 */
export interface AppsPostgres {
  /** Takes connections of what runs in this sandbox to its database, which is made for the first of them. */
  take(sandbox: string): (connection: Duplex) => void;
  /** Whether the app there has ever asked for its database. */
  has(sandbox: string): Promise<boolean>;
  /** Makes the database of one a copy of another's. Whoever is connected to either is not any more. */
  copy(from: string, to: string): Promise<void>;
  /**
   * Makes a database of its own for a throw-away copy of an app, with what the app's holds now. Nobody who is connected to
   * that is disturbed. Where the app has none yet, or the copy is to be empty, it is made for the first of the copy's
   * connections.
   * @throws Error where it holds more than can be copied, or what cannot be copied while somebody is connected
   */
  openCopy(sandbox: string, how?: { empty: boolean }): Promise<CopiedDatabase>;
  /**
   * Writes what an app's database holds into an empty one elsewhere. Nobody who is connected to it is disturbed.
   * @returns false if the app has none
   * @throws CannotCopy for a schema that cannot be made again
   */
  copyOut(sandbox: string, to: ClientConfig): Promise<boolean>;
  /** Takes away the databases of these projects' copies that are not open: a server that was killed has left them. */
  removeLeftCopies(projects: readonly string[]): Promise<void>;
  /** Takes away the database of one release. Nothing where it has none. */
  remove(sandbox: string): Promise<void>;
  /** Takes away all databases and roles of a project. */
  removeProject(project: string): Promise<void>;
  /** Whether the server is there, and may be used so. */
  probe(): Promise<{ ok: boolean; detail: string }>;
  /** Those of these projects whose databases are another data folder's, of which this one is a copy. */
  ofOthers(projects: readonly string[]): Promise<string[]>;
  /** Makes those of their databases this folder's that an earlier version left without saying whose they are. */
  claim(projects: readonly string[]): Promise<void>;
  /** Makes their databases this folder's, by the word of a person alone: where it was moved, and does not run elsewhere. */
  takeOver(projects: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const rolesOf = (projects: readonly string[]) =>
  projects.flatMap((project) => namesOfProject(project).roles);

/** Without the server's own words: they name the role. */
function whyNot(code: string): string {
  // Invalid authorization, and a database that there is none of: it was reached.
  if (code.startsWith("28"))
    return `does not let its role in (${code}): check its name and password`;
  if (code === "3D000") return `has no database with that name (${code})`;
  return `cannot be reached (${code})`;
}

/**
 * @param url of a role that may make databases and roles (`CREATEDB CREATEROLE`, or a superuser):
 * `postgres://role:password@host:5432/postgres`. It stays with the server.
 * @param owner the mark of the data folder that asks
 * @param enter keeps the server up for a project until what it gives is called. It is called for each session and each use
 * of a copy; whatever else is asked here needs a server that is up.
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
  /** Known to this process alone: each start gives the roles new ones. */
  const passwords = new Map<string, Promise<string>>();
  const made = new Map<string, Promise<void>>();
  const sessions = new Map<string, Sessions>();
  /** Databases of copies that are open. */
  const openCopies = new Set<string>();
  /** What is under way with a database; a session waits for it. */
  const busy = new Map<string, Promise<unknown>>();

  const exists = async (database: string) =>
    (
      await admin.query({
        text: "SELECT 1 FROM pg_database WHERE datname = $1",
        values: [database],
        // A server that has stopped answering says nothing of it; what takes long is asked after this.
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

  /** As an app signs in to a database. */
  async function configOf({ database, role }: DatabaseNames): Promise<ClientConfig> {
    // What an address says comes before what is given beside it, and what stands behind its `?` before all else: one that
    // names its role there, or a socket and so no host, would sign the app in as that role.
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
        // Many may be refused at once: what was found out meanwhile is for all of them.
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
    // Its owner may have taken a lock on it, or called it a template, which cannot be dropped.
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

  /** Does something while the server is kept up. */
  async function during<Result>(project: string, work: () => Promise<Result>): Promise<Result> {
    const leave = await enter(project);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Takes away what copies have left that were open when the server ended. */
  async function dropLeftCopies(projects: readonly string[]): Promise<void> {
    const { rows } = await admin.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS beginning WHERE starts_with(datname, beginning))",
      [projects.map(copyBeginning)],
    );
    for (const { datname } of rows) if (!openCopies.has(datname)) await drop(datname);
  }

  /** Fills a database that is not there yet with what another one holds. */
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

  /** Lets nobody in to these databases meanwhile. */
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
      /** Whether there can be such a database: nobody is asked about one that nobody has made. */
      let mayExist = false;
      const end = async () => {
        const has = await exists(database).catch(() => false);
        if (has) await drop(database);
        openCopies.delete(database);
      };
      // A server that is not there has nothing to copy: who connects is told what is the matter.
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
      // Who still runs there gets no new one by asking again.
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
