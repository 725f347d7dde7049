import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createLocalDriver, type OwnPostgres, type WorkspaceDriver } from "@treadle/workspace";
import { toProjectPath } from "@treadle/protocol/project-path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresPrograms } from "../../../workspace/src/testing/postgres.test-support.ts";
import { createDatabases } from "../tables/databases.ts";
import { createKeptData } from "../tables/kept-data.ts";
import type { AppsPostgres } from "./apps-postgres.ts";
import { openDoors, type Doors } from "./doors.test-support.ts";
import { exportDataDirectory } from "./export-data-directory.ts";
import { openOwnPostgres } from "./own-postgres.ts";

/** The version of this machine's programs, so that none are downloaded. */
const MAJOR = Number(postgresPrograms?.split("/").at(-2));

describe.skipIf(postgresPrograms === undefined)(
  "the databases of apps on a server of Treadle's own (needs the programs of this machine)",
  () => {
    let folder: string;
    let driver: WorkspaceDriver;
    let apps: AppsPostgres;
    let doors: Doors;
    let leases = 0;
    const notices: string[] = [];

    function open(): void {
      const servePostgres = (options: { directory: string }): OwnPostgres => {
        const server = driver.servePostgres!({ ...options, idleMs: 300 });
        const lease = () => (leases++, server.lease());
        return { ...server, lease, diskBytes: 40 * 1024 * 1024 };
      };
      apps = openOwnPostgres({ servePostgres }, folder, (text) => notices.push(text), 200)!;
      doors = openDoors(apps);
    }
    async function close(): Promise<void> {
      await doors.close();
      await apps.close();
    }
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "treadle-own-apps-"));
      driver = createLocalDriver({ cacheDirectory: join(folder, "cache"), env: process.env });
      open();
    });
    afterAll(async () => {
      await close();
      await driver.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it("starts nothing for a project whose app never connects", async () => {
      expect(await apps.probe()).toMatchObject({ ok: true });
      expect(await apps.has("still")).toBe(false);
      const copy = await apps.openCopy("still");
      expect(await copy.digest()).toBeUndefined();
      await copy.drop();
      await apps.remove("still-release-1");
      await apps.removeProject("still");
      expect(leases).toBe(0);
      expect(existsSync(join(folder, "postgres"))).toBe(false);
    });

    it("accepts an app under any name, stores its data, and recognises it after a restart", async () => {
      const client = await doors.signIn("first", {
        user: "myappuser",
        password: "myapppassword",
        database: "myapp",
      });
      await client.query("CREATE TABLE kept AS SELECT 1 AS one");
      await client.end();
      expect(await apps.has("first")).toBe(true);
      await close();
      open();
      expect(await doors.ask("first", "SELECT one FROM kept")).toEqual([[1]]);
      expect(await apps.has("second")).toBe(false);
    });

    it("is available inside through DATABASE_URL and the like, and to treadle-db whatever the app's .env says; can be exported, imported and restored", async () => {
      const directory = join(folder, "project");
      mkdirSync(join(directory, "backend"), { recursive: true });
      writeFileSync(join(directory, "backend/package.json"), '{ "dependencies": { "pg": "8" } }');
      writeFileSync(join(directory, ".env"), "PGHOST=localhost\nDB_NAME=shop\n");
      const workspace = await driver.open({
        project: "first",
        directory,
        stateDirectory: join(folder, "state"),
        database: apps.take("first"),
      });
      try {
        const { output } = await workspace.run(
          'printenv DATABASE_URL DB_HOST; echo "${PGHOST-unset} ${DB_NAME-unset}"; treadle-db query "SELECT one FROM kept"',
        );
        expect(output).toMatch(
          /^postgres:\/\/app:app@localhost:5432\/shop\nlocalhost\nunset unset\none\n1\n/,
        );
        // Neither the server's own socket nor one of this machine's servers is visible.
        const sockets = await workspace.run("find / -name '.s.PGSQL*' -not -path '/proc/*' 2>/dev/null"); // prettier-ignore
        expect(sockets.output).toBe("");
        const databases = createDatabases({
          preview: (_, work) => work(workspace),
          published: async () => undefined,
          hasPostgres: true,
        });
        const at = ["first", "preview", "PostgreSQL"] as const;
        const { pieces } = await databases.download(...at);
        let sql = "";
        for await (const piece of pieces) sql += Buffer.from(piece).toString();
        const given = [Buffer.from(sql.replace("('1')", "('2')"))];
        const copy = ".data/copies/PostgreSQL-before-import.sql";
        expect(await databases.upload(...at, Readable.from(given))).toContain(copy);
        expect(await doors.ask("first", "SELECT one FROM kept")).toEqual([[2]]);
        const listed = await databases.list("first");
        expect(listed.map(({ path }) => path)).toEqual(["PostgreSQL", copy]);
        const tables = { ask: "tables" } as const;
        expect(await databases.ask("first", "preview", copy, tables)).toEqual({ tables: [] });
        await databases.goBack(...at, copy);
        expect(await doors.ask("first", "SELECT one FROM kept")).toEqual([[1]]);
        // Saves everything with a checkpoint, and restores it.
        const keptData = createKeptData({
          folderOf: () => join(folder, "kept"),
          hasPostgres: true,
        });
        const sqlite = (sql: string) =>
          workspace.run(
            `node -e "new (require('node:sqlite').DatabaseSync)('app.db').exec('${sql}')" 2>/dev/null`,
          );
        await sqlite("CREATE TABLE t AS SELECT 7 AS a");
        expect(await keptData.save("first", workspace, "c1-00000000")).toBe(true);
        expect(keptData.has("first")).toEqual(new Set(["c1-00000000"]));
        await sqlite("UPDATE t SET a = 8");
        await doors.ask("first", "UPDATE kept SET one = 3");
        await keptData.putBack("first", workspace, "c1-00000000");
        expect(await doors.ask("first", "SELECT one FROM kept")).toEqual([[1]]);
        const all = { ask: "sql", sql: "SELECT a FROM t" } as const;
        expect(await databases.ask("first", "preview", "app.db", all)).toMatchObject({
          rows: [[7]],
        });
        // A deleted one is restored as well.
        await workspace.files.remove(toProjectPath("app.db"));
        await keptData.putBack("first", workspace, "c1-00000000");
        expect(await databases.ask("first", "preview", "app.db", all)).toMatchObject({
          rows: [[7]],
        });
        await expect(keptData.putBack("first", workspace, "c2-00000000")).rejects.toMatchObject({
          code: "no-data",
        });
        for (let number = 3; number <= 12; number++)
          await keptData.save("first", workspace, `c${number}-00000000`);
        expect([keptData.has("first").size, keptData.has("first").has("c1-00000000")]).toEqual([
          10,
          false,
        ]);
        for (const none of ["data/other.db", ".data/copies/PostgreSQL-before-x.sql"])
          await expect(databases.goBack(...at, none)).rejects.toMatchObject({ status: 404 });
      } finally {
        await workspace.stop();
      }
    });

    it("creates copies for checks and for releases, with the app's content", async () => {
      const copy = await apps.openCopy("first");
      const before = await copy.digest();
      expect(before).toEqual(expect.stringContaining("kept"));
      await copy.drop();
      await doors.ask("first-release-1", "CREATE TABLE sold AS SELECT 2 AS two");
      await apps.copy("first-release-1", "first-release-2");
      expect(await doors.ask("first-release-2", "SELECT two FROM sold")).toEqual([[2]]);
      const empty = await apps.openCopy("first", { empty: true });
      expect(await empty.digest()).toBeUndefined();
      await empty.drop();
    });

    it.each([
      "COPY (SELECT 1) TO PROGRAM 'id'",
      "COPY (SELECT 1) TO '/tmp/made'",
      "CREATE TABLE files (line text); COPY files FROM '/etc/passwd'",
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT lo_import('/etc/passwd')",
      "SELECT lo_export(lo_from_bytea(0, 'x'), '/tmp/made')",
      "CREATE EXTENSION file_fdw",
      "CREATE EXTENSION dblink",
      "CREATE FUNCTION run() RETURNS int LANGUAGE c AS '/lib/x86_64-linux-gnu/libc.so.6', 'system'",
      "LOAD '/lib/x86_64-linux-gnu/libc.so.6'",
      "ALTER SYSTEM SET shared_buffers = '1GB'",
      "CREATE DATABASE more",
      "SET SESSION AUTHORIZATION postgres",
      "SET ROLE treadle_first_published",
      "CREATE TABLESPACE more LOCATION '/tmp'",
      "SELECT * FROM treadle_first_preview.public.kept",
      "DROP DATABASE treadle_first_preview",
    ])("A121 refuses an app access to a file, a program or another app: %s", async (sql) => {
      await expect(doors.ask("attacker", sql)).rejects.toThrow(
        /permission denied|must be|not implemented|not allowed|not available/,
      );
    });

    it("A121 creates no extension for an app that needs a superuser", async () => {
      const names = (await doors.ask(
        "attacker",
        "SELECT DISTINCT name FROM pg_available_extension_versions WHERE superuser AND NOT trusted AND NOT installed",
      )) as [string][];
      expect(names.length).toBeGreaterThan(10);
      const client = await doors.signIn("attacker");
      for (const [name] of names)
        await expect(client.query(`CREATE EXTENSION "${name}" CASCADE`), name).rejects.toThrow(
          /permission denied|required extension|may only be created by superuser/,
        );
      await client.end();
    });

    it("is exported as a separate data directory, with one role and one database", async () => {
      const made = join(folder, "handed");
      const options = { version: MAJOR, role: "myappuser", password: "word", database: "myapp" };
      await exportDataDirectory({ apps, driver }, "first", made, options);
      await expect(exportDataDirectory({ apps, driver }, "first", made)).rejects.toThrow(
        /not empty/,
      );
      expect(existsSync(join(made, "postmaster.pid"))).toBe(false);
      mkdirSync(join(folder, "elsewhere"));
      renameSync(made, join(folder, "elsewhere/main"));
      const server = driver.servePostgres!({ directory: join(folder, "elsewhere") });
      await server.lease();
      const address = new URL(server.url);
      address.pathname = "/myapp";
      address.searchParams.set("user", "myappuser");
      const client = new Client({ connectionString: address.href });
      await client.connect();
      expect((await client.query("SELECT one FROM kept")).rows).toEqual([{ one: 1 }]);
      await client.end();
      await server.close();
    });

    it.each([
      "CREATE TABLE IF NOT EXISTS much (t text); INSERT INTO much SELECT repeat(md5(n::text), 40) FROM generate_series(1, 8000) AS n",
      "SELECT sum(1) FROM (SELECT lo_from_bytea(0, convert_to(string_agg(md5(n::text), ''), 'UTF8')) FROM generate_series(1, 250000) AS n) AS made",
    ])(
      "A122 disconnects an app whose database exceeds the project's limit, and not the others: %s",
      async (sql) => {
        // prettier-ignore
        await doors.ask("bystander", "SELECT 1");
        notices.length = 0;
        const write = () => doors.ask("glutton", sql);
        const outcome = () =>
          write().then(
            () => "written",
            (error: { code?: string }) => error.code,
          );
        await expect.poll(outcome).toBe("53100");
        expect(notices).toEqual([expect.stringContaining("glutton")]);
        expect(await doors.ask("bystander", "SELECT 1")).toEqual([[1]]);
        await apps.removeProject("glutton");
        expect(await doors.ask("glutton", "SELECT 1")).toEqual([[1]]);
        await apps.removeProject("glutton");
      },
    );

    it("stops once the projects that used it are suspended", async () => {
      const own = statSync(join(folder, "postgres/server/main"));
      const isServers = (pid: string) => {
        try {
          const { dev, ino } = statSync(`/proc/${pid}/cwd`);
          return dev === own.dev && ino === own.ino;
        } catch {
          // It has ended.
          return false;
        }
      };
      const processes = () => readdirSync("/proc").filter((name) => isServers(name));
      const asked = Array.from({ length: 5 }, (_, number) =>
        doors.ask(`sleeper${number}`, "SELECT current_database()"),
      );
      expect(new Set((await Promise.all(asked)).flat(2)).size).toBe(5);
      expect(processes().length).toBeGreaterThan(0);
      await expect.poll(processes).toEqual([]);
    });

    it("is removed with its project", async () => {
      await apps.removeProject("first");
      expect(await apps.has("first")).toBe(false);
      expect(await doors.ask("first", "SELECT to_regclass('kept')")).toEqual([[null]]);
    });

    it("tells clients that there is no server, and the person why", async () => {
      const failing: OwnPostgres = {
        url: "postgres:///postgres?host=/nowhere&user=postgres",
        diskBytes: 1,
        hasData: () => false,
        lease: () => Promise.reject(new Error("offline in /some/place")),
        describe: async () => ({ ok: false, problem: "offline" }),
        close: async () => {},
      };
      const notices: string[] = [];
      const none = openOwnPostgres({ servePostgres: () => failing }, folder, (text) =>
        notices.push(text),
      )!;
      const others = openDoors(none);
      for (const _ of [1, 2])
        await expect(others.ask("third", "SELECT 1")).rejects.toMatchObject({
          code: "57P03",
          message: expect.not.stringContaining("/some/place") as string,
        });
      expect(notices).toEqual(["offline in /some/place"]);
      expect(await none.probe()).toEqual({ ok: false, detail: "offline" });
      await others.close();
      await none.close();
    });
  },
);
