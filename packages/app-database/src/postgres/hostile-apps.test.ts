import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openAppsPostgres, type AppsPostgres } from "./apps-postgres.ts";
import { openDoors, type Doors } from "./doors.test-support.ts";
import { createSessions } from "./session.ts";
import { startOwnPostgres } from "./own-postgres.test-support.ts";
import {
  postgresPrograms,
  startPostgres,
} from "../../../workspace/src/testing/postgres.test-support.ts";

describe.skipIf(postgresPrograms === undefined).each([
  ["an operator's server", startAsMaker],
  ["Treadle's own server", startOwnPostgres],
])(
  "a hostile app in its own database, on %s (needs a PostgreSQL of this machine)",
  (_name, start) => {
    let server: HostileServer;
    let apps: AppsPostgres;
    let doors: Doors;
    let url: string;
    beforeAll(async () => {
      server = await start();
      ({ url } = server);
    });
    beforeEach(() => {
      apps = openAppsPostgres(url, () => "here");
      doors = openDoors(apps);
    });
    afterEach(async () => {
      await doors.close();
      await apps.close();
    });
    afterAll(() => server?.close());

    async function asAdmin(sql: string): Promise<unknown[][]> {
      return askAs(server.superuser, sql);
    }

    const databasesOf = (project: string) =>
      asAdmin(`SELECT datname FROM pg_database WHERE datname LIKE 'treadle\\_${project}\\_%'`);

    it("A121 cannot inject a function with the name of PostgreSQL's into its sign-in", async () => {
      await doors.ask(
        "shadow",
        `CREATE TABLE seen (name text);
         CREATE FUNCTION public.set_config(text, text, boolean) RETURNS text LANGUAGE sql
           AS $$ INSERT INTO seen VALUES ($1) RETURNING repeat('x', 1000000) $$;
         ALTER ROLE CURRENT_USER SET search_path = public, pg_catalog`,
      );
      expect(await doors.ask("shadow", "SELECT name FROM seen")).toEqual([]);
    });

    it("A121 marks its database as a template, which is still copied and removed", async () => {
      await doors.ask("stays-release-1", "CREATE TABLE kept AS SELECT 1 AS one");
      await doors.ask("stays-release-1", "ALTER DATABASE treadle_stays_release_1 IS_TEMPLATE true");
      await apps.copy("stays-release-1", "stays-release-2");
      expect(await doors.ask("stays-release-2", "SELECT one FROM kept")).toEqual([[1]]);
      await apps.removeProject("stays");
      expect(await databasesOf("stays")).toEqual([]);
    });

    it("A121 grants another role rights, which does not keep that role's data there", async () => {
      await doors.ask("other", "SELECT 1");
      await doors.ask("other-release-1", "SELECT 1");
      await doors.ask(
        "giver",
        "CREATE TABLE mine (a int); GRANT SELECT ON mine TO treadle_other_preview",
      );
      await apps.removeProject("other");
      expect(await databasesOf("other")).toEqual([]);
      // What is left of it cannot be used to sign in.
      expect(
        await asAdmin(
          `SELECT rolname, rolcanlogin FROM pg_roles WHERE rolname LIKE 'treadle\\_other\\_%'`,
        ),
      ).toEqual([["treadle_other_preview", false]]);
      expect(await doors.ask("other", "SELECT 1")).toEqual([[1]]);
    });

    it.each([
      ["role", "ALTER ROLE CURRENT_USER SET work_mem = '4MB'"],
      ["database", "ALTER DATABASE treadle_database_preview SET work_mem = '4MB'"],
    ])("A122 locks its %s forever, which blocks nobody and ends with it", async (holds, sql) => {
      const holder = await doors.signIn(holds);
      await holder.query("SET idle_in_transaction_session_timeout = 0");
      await holder.query("BEGIN");
      await holder.query(sql);
      // As after a restart: the role gets another password.
      const anew = openAppsPostgres(url, () => "here");
      const others = openDoors(anew);
      expect(await others.ask(holds, "SELECT 1")).toEqual([[1]]);
      expect(await others.ask("bystander", "SELECT 1")).toEqual([[1]]);
      await anew.removeProject(holds);
      expect(await databasesOf(holds)).toEqual([]);
      await others.close();
      await anew.close();
      await holder.end().catch(() => undefined);
    });

    it("A122 the query of a disconnected client ends", async () => {
      const client = await doors.signIn("leaver");
      await client.query("SET statement_timeout = 0");
      const sleeping = client.query("SELECT pg_sleep(1000)").catch(() => undefined);
      const going = () => asAdmin("SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(1000)%' AND usename LIKE 'treadle%'"); // prettier-ignore
      await expect.poll(going).toHaveLength(1);
      (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
      await sleeping;
      await expect.poll(going).toEqual([]);
    });

    it("A123 many clients at once can connect after the app changed its role's password", async () => {
      await doors.ask("crowd", "ALTER ROLE CURRENT_USER PASSWORD 'known'");
      const clients = await Promise.all(Array.from({ length: 12 }, () => doors.signIn("crowd")));
      for (const client of clients) expect((await client.query("SELECT 1")).rowCount).toBe(1);
      for (const client of clients) await client.end();
    });
  },
);

interface HostileServer {
  /** Address for the role that Treadle uses. */
  url: string;
  superuser: string;
  close(): Promise<void>;
}

async function askAs(url: string, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
  await client.end();
  return rows;
}

/** Treadle's role may create databases and roles, and is no superuser. */
async function startAsMaker(): Promise<HostileServer> {
  const server = await startPostgres();
  await askAs(server.url, "CREATE ROLE maker LOGIN CREATEDB CREATEROLE PASSWORD 'm'");
  const address = new URL(server.url);
  address.username = "maker";
  address.password = "m";
  return { url: address.href, superuser: server.url, close: server.close };
}

describe("a hostile PostgreSQL server", () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  /** Connects an app to a server with this behaviour. */
  async function doorsTo(behave: (socket: Socket) => void) {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      behave(socket);
    }).listen(0, "127.0.0.1");
    closers.push(() => server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const sessions = createSessions(
      () =>
        Promise.resolve({
          role: "a",
          config: { connectionString: `postgres://a:b@127.0.0.1:${port}/c` },
          forget: () => undefined,
        }),
      () => Promise.resolve(),
      { most: 3, enter: async () => () => {} },
    );
    const door = createServer({ allowHalfOpen: true }, (one) => void sessions.take(one));
    door.listen(0, "127.0.0.1");
    closers.push(() => (door.close(), sessions.end()));
    await once(door, "listening");
    return { doorPort: (door.address() as AddressInfo).port, port };
  }

  /** @returns what the app received, once its connection has ended */
  async function askPort(port: number): Promise<string> {
    const client = new Client({ host: "127.0.0.1", port, user: "a", database: "a" });
    client.on("error", () => undefined);
    return client.connect().then(
      () => "let in",
      (error: Error) => error.message,
    );
  }

  it("A122 connections in sign-in count as well: no more than its own reach the server", async () => {
    const reached: Socket[] = [];
    const { doorPort } = await doorsTo((socket) => reached.push(socket));
    const waiting = [1, 2, 3].map(() => {
      const socket = connect(doorPort, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0]));
      socket.resume();
      return socket;
    });
    await expect.poll(() => reached.length).toBe(3);
    expect(await askPort(doorPort)).toMatch(/too many connections/);
    expect(reached.length).toBe(3);
    // A failed one frees its place.
    reached[0]!.destroy();
    await Promise.race(waiting.map((socket) => once(socket, "close")));
    void askPort(doorPort);
    await expect.poll(() => reached.length).toBe(4);
    for (const socket of [...waiting, ...reached]) socket.destroy();
  });

  it("A122 endless messages during a sign-in are not buffered", async () => {
    let written = 0;
    const { doorPort } = await doorsTo((socket) => {
      const piece = Buffer.alloc(65_536, "x");
      const head = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x53, 0x3f, 0xff, 0xff, 0xff]);
      socket.once("data", () => {
        socket.write(head);
        const more = () => {
          while (!socket.destroyed && written < 256 * 1024 * 1024) {
            written += piece.length;
            if (!socket.write(piece)) return void socket.once("drain", more);
          }
        };
        more();
      });
    });
    expect(await askPort(doorPort)).toBe("The database cannot be reached just now.");
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it("A123 reveals neither why Treadle is refused, nor where the server is", async () => {
    const fields = ["SFATAL", "C28000", 'Mno pg_hba.conf entry for host "10.1.2.3", user "owner"'];
    const body = Buffer.from(`${fields.join("\0")}\0\0`);
    const head = Buffer.alloc(5);
    head.write("E");
    head.writeInt32BE(body.length + 4, 1);
    const { doorPort } = await doorsTo((socket) => {
      socket.once("data", () => socket.end(Buffer.concat([head, body])));
    });
    expect(await askPort(doorPort)).toBe("The database cannot be reached just now.");
  });
});
