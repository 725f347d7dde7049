import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAppsPostgres, type AppsPostgres } from "./apps-postgres.ts";
import { openDoors, type Doors } from "./doors.test-support.ts";
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
} from "../../../workspace/src/testing/postgres.test-support.ts";

describe.skipIf(postgresPrograms === undefined)(
  "the PostgreSQL databases of apps (needs a PostgreSQL of this machine)",
  () => {
    let server: TestPostgres;
    let apps: AppsPostgres;
    let { portOf, signIn, ask, close } = {} as Doors;
    beforeAll(async () => {
      server = await startPostgres();
      apps = openAppsPostgres(server.url, () => "here");
      ({ portOf, signIn, ask, close } = openDoors(apps));
    });
    afterAll(async () => {
      await close?.();
      await apps?.close();
      await server?.close();
    });

    async function asAdmin(sql: string): Promise<unknown[][]> {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
      await client.end();
      return rows;
    }

    it("reports the server's version", async () => {
      expect(await apps.probe()).toEqual({
        ok: true,
        detail: expect.stringMatching(/^PostgreSQL \d/),
      });
      const gone = openAppsPostgres("postgres://admin:secret@127.0.0.1:1/postgres", () => "here");
      expect(await gone.probe()).toEqual({
        ok: false,
        detail: expect.stringContaining("cannot be reached"),
      });
      await gone.close();
    });

    it("distinguishes a server that refuses its role from one that lacks the database", async () => {
      const url = new URL(server.url);
      url.pathname = "/none_such";
      const lacking = openAppsPostgres(url.href, () => "here");
      const { detail } = await lacking.probe();
      expect(detail).toContain("has no database with that name (3D000)");
      await lacking.close();
      url.username = "nobody_known";
      const unknown = openAppsPostgres(url.href, () => "here");
      expect((await unknown.probe()).detail).toMatch(/does not let its role in \(28\w{3}\)/);
      await unknown.close();
    });

    it("an app gets a database when it connects, without a password, under any name", async () => {
      expect(await apps.has("first")).toBe(false);
      await ask("first", "CREATE TABLE notes (id serial PRIMARY KEY, text text)");
      await ask("first", "INSERT INTO notes (text) VALUES ('kept')");
      expect(await apps.has("first")).toBe(true);
      const other = await signIn("first", {
        user: "postgres",
        database: "postgres",
        password: "guessed",
      });
      const { rows } = await other.query("SELECT text, current_database() AS at FROM notes");
      expect(rows).toEqual([{ text: "kept", at: "treadle_first_preview" }]);
      await other.end();
    });

    it.each([
      [
        "behind its `?`",
        (port: string) => `postgres://127.0.0.1:${port}/postgres?user=admin&password=secret`,
      ],
      [
        "there, without a host",
        (port: string) =>
          `postgres:///postgres?host=127.0.0.1&port=${port}&user=admin&password=secret`,
      ],
      [
        "twice",
        (port: string) =>
          `postgres://admin:secret@127.0.0.1:${port}/postgres?user=admin&password=secret`,
      ],
    ])(
      "A120 an app uses its own role even if the server's address names another %s",
      async (_, urlAt) => {
        // prettier-ignore
        const named = openAppsPostgres(urlAt(new URL(server.url).port), () => "here");
        const inside = openDoors(named);
        const who = await inside.ask(
          "named",
          "SELECT current_user, session_user, current_database()",
        );
        expect(who).toEqual([Array(3).fill("treadle_named_preview")]);
        await inside.close();
        await named.removeProject("named");
        await named.close();
      },
    );

    it("runs several statements at once, and returns large answers completely", async () => {
      const clients = await Promise.all([1, 2, 3, 4].map(() => signIn("many")));
      const sizes = await Promise.all(
        clients.map(async (client) => {
          const { rows } = await client.query("SELECT repeat('x', 3000000) AS text");
          return (rows[0] as { text: string }).text.length;
        }),
      );
      expect(sizes).toEqual([3_000_000, 3_000_000, 3_000_000, 3_000_000]);
      for (const client of clients) await client.end();
    });

    it("settings of a client's startup message apply", async () => {
      const client = await signIn("first", { application_name: "my-app" });
      const { rows } = await client.query(
        "SELECT application_name AS name FROM pg_stat_activity WHERE pid = pg_backend_pid()",
      );
      expect(rows).toEqual([{ name: "my-app" }]);
      await client.end();
    });

    it("A120 the preview, each project and each release have separate databases", async () => {
      await ask("first-release-1", "CREATE TABLE notes (text text)");
      await ask("second", "CREATE TABLE other (text text)");
      expect(await ask("first", "SELECT text FROM notes")).toEqual([["kept"]]);
      expect(await ask("first-release-1", "SELECT text FROM notes")).toEqual([]);
      await expect(ask("second", "SELECT text FROM notes")).rejects.toThrow(/does not exist/);
    });

    it.each([
      ["a role", "CREATE ROLE more LOGIN"],
      ["a database", "CREATE DATABASE more"],
      ["the rights of a superuser", "ALTER ROLE CURRENT_USER SUPERUSER"],
      ["to be the role that makes them", "SET ROLE admin"],
      ["to be another app's role", `SET ROLE "treadle_second_preview"`],
      ["another app's database", `DROP DATABASE "treadle_second_preview" WITH (FORCE)`],
      ["a program of the server's machine", "COPY (SELECT 1) TO PROGRAM 'id'"],
      ["a file of the server's machine", "SELECT pg_read_file('/etc/passwd')"],
      ["a file, as a large object", "SELECT lo_import('/etc/passwd')"],
      ["a folder of it", "SELECT pg_ls_dir('.')"],
      ["to write a file", "COPY (SELECT 1) TO '/tmp/treadle-out'"],
      ["a connection to elsewhere", "CREATE EXTENSION dblink"],
      ["a language that may do anything", "CREATE EXTENSION plpython3u"],
      ["the server's settings", "ALTER SYSTEM SET log_statement = 'all'"],
      ["the passwords of all", "SELECT rolpassword FROM pg_authid"],
      ["the end of another's session", "SELECT 1 / count(*) FROM (SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE usename <> current_user) AS all_of_them WHERE ended"], // prettier-ignore
    ])("A121 refuses an app %s", async (_, sql) => {
      // Another app is connected meanwhile.
      const other = await signIn("second");
      await expect(ask("first", sql)).rejects.toThrow();
      expect((await other.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
      await other.end();
    });

    it("A121 queries of other apps are not visible", async () => {
      const other = await signIn("second");
      await other.query("SELECT 'words of another app'");
      const rows = await ask(
        "first",
        "SELECT query FROM pg_stat_activity WHERE datname <> current_database()",
      );
      expect(JSON.stringify(rows)).not.toContain("another app");
      await other.end();
    });

    it("A122 one app is limited to its connections; others can still connect", async () => {
      const all: Client[] = [];
      await expect(
        (async () => {
          for (let n = 0; n < 30; n++) all.push(await signIn("hungry"));
        })(),
      ).rejects.toThrow(/too many connections/);
      expect(all.length).toBe(20);
      expect(await ask("second", "SELECT 1")).toEqual([[1]]);
      for (const client of all) await client.end();
    });

    it.each([
      ["nothing of PostgreSQL's", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
      ["a message without an end", Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 3, 0, 0])],
      ["a length below all", Buffer.from([0, 0, 0, 1, 0, 3, 0, 0])],
      ["an older protocol", Buffer.from([0, 0, 0, 9, 0, 2, 0, 0, 0])],
      ["the cancelling of nobody", Buffer.from([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 1])], // prettier-ignore
    ])("A122 disconnects a client that begins with %s", async (_, bytes) => {
      const socket = connect(await portOf("first"), "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(bytes);
      socket.resume();
      await once(socket, "close");
      expect(await ask("first", "SELECT 1")).toEqual([[1]]);
    });

    it("a query can be cancelled with its key, and not by another app", async () => {
      const client = await signIn("first");
      const key = client as unknown as { processID: number; secretKey: number };
      const cancel = async (sandbox: string) => {
        const socket: Socket = connect(await portOf(sandbox), "127.0.0.1");
        const asked = Buffer.alloc(16);
        [16, 80_877_102, key.processID, key.secretKey].forEach((value, at) =>
          asked.writeInt32BE(value, at * 4),
        );
        socket.write(asked);
        socket.resume();
        await once(socket, "close");
      };
      let isOver = false;
      const sleeping = client.query("SELECT pg_sleep(50)").catch((error: Error) => {
        isOver = true;
        return error;
      });
      const going = `SELECT 1 FROM pg_stat_activity WHERE pid = ${key.processID} AND state = 'active' AND query LIKE '%pg_sleep%'`;
      await expect.poll(() => asAdmin(going)).toHaveLength(1);
      await cancel("second");
      expect(isOver).toBe(false);
      await cancel("first");
      expect(String(await sleeping)).toMatch(/cancel/);
      await client.end();
    });

    it("A123 nothing inside knows a password, and one that an app sets for its role is useless", async () => {
      await ask("first", "ALTER ROLE CURRENT_USER PASSWORD 'known'");
      const [host, port] = [new URL(server.url).hostname, Number(new URL(server.url).port)];
      expect(await ask("first-release-1", "SELECT 1")).toEqual([[1]]);
      // The next connection finds that it has been replaced.
      await expect(ask("first", "SELECT 1")).resolves.toEqual([[1]]);
      const direct = new Client({ host, port, user: "treadle_first_preview", password: "known", database: "treadle_first_preview" }); // prettier-ignore
      direct.on("error", () => undefined);
      await expect(direct.connect()).rejects.toThrow(/password/);
    });

    it("a release copies the data of the previous one, which stays unchanged", async () => {
      await ask("first-release-1", "INSERT INTO notes VALUES ('of the first release')");
      // A client is still connected.
      const late = await signIn("first-release-1");
      await apps.copy("first-release-1", "first-release-2");
      await ask("first-release-2", "ALTER TABLE notes ADD COLUMN done boolean DEFAULT false");
      await ask("first-release-2", "INSERT INTO notes VALUES ('of the second', true)");
      expect(await ask("first-release-2", "SELECT count(*)::int FROM notes")).toEqual([[2]]);
      expect(await ask("first-release-1", "SELECT * FROM notes")).toEqual([
        ["of the first release"],
      ]);
      await late.end().catch(() => undefined);
    });

    it("removes a database with its roles, and nothing of another project", async () => {
      await apps.remove("first-release-1");
      expect(await apps.has("first-release-1")).toBe(false);
      await apps.removeProject("first");
      const left = await asAdmin("SELECT datname::text FROM pg_database WHERE datname LIKE 'treadle\\_%' ORDER BY 1"); // prettier-ignore
      expect(left.flat()).toEqual([
        "treadle_hungry_preview",
        "treadle_many_preview",
        "treadle_second_preview",
      ]);
      expect(await asAdmin("SELECT 1 FROM pg_roles WHERE rolname LIKE 'treadle\\_first\\_%'")).toEqual([]); // prettier-ignore
      // A new database of that name starts empty.
      await expect(ask("first", "SELECT text FROM notes")).rejects.toThrow(/does not exist/);
    });

    describe("beside a copy of the data folder", () => {
      let copy: AppsPostgres;
      let inCopy: Doors;
      beforeAll(async () => {
        copy = openAppsPostgres(server.url, () => "elsewhere");
        inCopy = openDoors(copy);
        await ask("both", "CREATE TABLE notes AS SELECT 'kept' AS text");
        await ask("both-release-1", "CREATE TABLE notes AS SELECT 'published' AS text");
      });
      afterAll(async () => {
        await inCopy?.close();
        await copy?.close();
      });

      const REFUSED = /belongs to another data folder.*treadle doctor/;

      it("A120 the copy can access, change and remove none of the databases", async () => {
        await expect(inCopy.ask("both", "DELETE FROM notes")).rejects.toThrow(REFUSED);
        await expect(inCopy.ask("both-release-1", "SELECT 1")).rejects.toThrow(REFUSED);
        // A release that only the copy made.
        await expect(inCopy.ask("both-release-2", "SELECT 1")).rejects.toThrow(REFUSED);
        await expect(copy.has("both-release-1")).rejects.toThrow(REFUSED);
        await expect(copy.copy("both-release-1", "both-release-2")).rejects.toThrow(REFUSED);
        await expect(copy.remove("both-release-3")).rejects.toThrow(REFUSED);
        await expect(copy.removeProject("both")).rejects.toThrow(REFUSED);
        expect(await ask("both", "SELECT text FROM notes")).toEqual([["kept"]]);
        expect(await ask("both-release-1", "SELECT text FROM notes")).toEqual([["published"]]);
      });

      it("projects made in the copy have their own, which the original leaves alone", async () => {
        await inCopy.ask("later", "CREATE TABLE notes AS SELECT 'of the copy' AS text");
        await expect(ask("later", "SELECT 1")).rejects.toThrow(REFUSED);
        expect(await copy.ofOthers(["both", "later", "neither"])).toEqual(["both"]);
        expect(await apps.ofOthers(["both", "neither"])).toEqual([]);
        await copy.removeProject("later");
      });

      it("A121 an app cannot change the owner of its database", async () => {
        const sql = `COMMENT ON ROLE "treadle_both_preview" IS 'of the Treadle data folder elsewhere'`;
        await expect(ask("both", sql)).rejects.toThrow(/permission denied|must have/);
      });

      it("databases of earlier versions belong to the first folder that claims them", async () => {
        await asAdmin(`COMMENT ON ROLE "treadle_both_published" IS NULL`);
        expect(await apps.has("both-release-1")).toBe(true);
        expect(await copy.ofOthers(["both", "later"])).toEqual(["both"]);
        const anew = openAppsPostgres(server.url, () => "here");
        const doors = openDoors(anew);
        await doors.ask("both-release-1", "SELECT 1");
        await expect(inCopy.ask("both-release-1", "SELECT 1")).rejects.toThrow(REFUSED);
        await doors.close();
        await anew.close();
      });

      it("a moved folder takes its databases over, and the previous one loses access", async () => {
        const late = await signIn("both");
        const gone = new Promise((resolve) => late.once("end", resolve));
        await copy.takeOver(["both", "neither"]);
        await gone;
        expect(await inCopy.ask("both", "SELECT text FROM notes")).toEqual([["kept"]]);
        expect(await inCopy.ask("both-release-1", "SELECT text FROM notes")).toEqual([
          ["published"],
        ]);
        for (const sandbox of ["both", "both-release-1"])
          await expect(ask(sandbox, "SELECT 1")).rejects.toThrow(REFUSED);
        expect(await copy.ofOthers(["both"])).toEqual([]);
        await copy.removeProject("both");
        expect(await copy.has("both")).toBe(false);
      });
    });

    it("a role that may only create databases and roles is sufficient", async () => {
      await asAdmin("CREATE ROLE maker LOGIN CREATEDB CREATEROLE PASSWORD 'm'");
      const url = new URL(server.url);
      url.username = "maker";
      url.password = "m";
      const lesser = openAppsPostgres(url.href, () => "here");
      expect((await lesser.probe()).ok).toBe(true);
      const door = createServer({ allowHalfOpen: true }, lesser.take("third-release-1"));
      door.listen(0, "127.0.0.1");
      await once(door, "listening");
      const { port } = door.address() as AddressInfo;
      const client = new Client({ host: "127.0.0.1", port, user: "a", database: "b" });
      client.on("error", () => undefined);
      await client.connect();
      await client.query("CREATE TABLE t (a int)");
      await lesser.copy("third-release-1", "third-release-2");
      expect(await lesser.has("third-release-2")).toBe(true);
      await client.end().catch(() => undefined);
      await lesser.removeProject("third");
      expect(await lesser.has("third-release-2")).toBe(false);
      door.close();
      await lesser.close();
    });
  },
);
