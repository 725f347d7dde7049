/** Databases of temporary copies of an app. */
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
} from "../../../workspace/src/testing/postgres.test-support.ts";
import { openAppsPostgres, type AppsPostgres } from "./apps-postgres.ts";
import { openDoors, type Doors } from "./doors.test-support.ts";

type Copied = Awaited<ReturnType<AppsPostgres["openCopy"]>>;

/** Nearly all kinds of objects that apps create. */
const SCHEMA = `
CREATE EXTENSION citext;
CREATE SCHEMA "odd name";
CREATE TYPE mood AS ENUM ('sad', 'it''s fine');
CREATE DOMAIN age AS integer CHECK (VALUE > 0);
CREATE TYPE place AS (street text, "house no" integer);
CREATE SEQUENCE numbers START 7;
CREATE FUNCTION shout(words text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT upper(words)';
CREATE TABLE people (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mail citext UNIQUE NOT NULL,
  mood mood DEFAULT 'sad',
  age age,
  home place,
  tags text[] DEFAULT '{}',
  loud text GENERATED ALWAYS AS (shout(mail::text)) STORED,
  at timestamptz DEFAULT now(),
  ratio double precision,
  picture bytea,
  more jsonb,
  CHECK (ratio IS NULL OR ratio >= 0)
);
CREATE TABLE "odd name"."the ""notes""" (
  id serial PRIMARY KEY,
  of integer NOT NULL REFERENCES people ON DELETE CASCADE,
  number integer DEFAULT nextval('numbers'),
  text text COLLATE "C"
);
CREATE INDEX ON people (lower(mail::text)) WHERE age > 3;
CREATE VIEW loud AS SELECT id, loud FROM people;
CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n FROM loud;
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.at = '2000-01-01'; RETURN NEW; END $$;
CREATE TRIGGER touched BEFORE UPDATE ON people FOR EACH ROW EXECUTE FUNCTION touch();
INSERT INTO people (mail, mood, age, home, tags, ratio, picture, more)
  SELECT 'p' || n || '@x.org', 'it''s fine', n, ROW('a, "b"', n)::place, ARRAY['x', NULL, 'y,z'], n / 3.0, '\\x00ff', '{"a": [1, null]}'
  FROM generate_series(1, 450) AS n;
INSERT INTO people (mail) VALUES ('nobody@x.org');
INSERT INTO "odd name"."the ""notes""" (of, text) SELECT id, E'line\\n\\tNULL' FROM people WHERE id < 4;
REFRESH MATERIALIZED VIEW counted;`;
const CONTENT = [
  "SELECT * FROM people ORDER BY id",
  `SELECT * FROM "odd name"."the ""notes""" ORDER BY id`,
  "SELECT * FROM loud ORDER BY id",
  "SELECT * FROM counted",
  "SELECT last_value, is_called FROM numbers",
  "SELECT conname, contype FROM pg_constraint WHERE connamespace > 16000 OR connamespace = 'public'::regnamespace ORDER BY 1, 2",
  "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname IN ('public', 'odd name') ORDER BY 1, 2",
  "SELECT table_schema, table_name, column_name, data_type, column_default, is_nullable FROM information_schema.columns WHERE table_schema IN ('public', 'odd name') ORDER BY 1, 2, ordinal_position",
];

describe.skipIf(postgresPrograms === undefined)(
  "the database of a copy of an app (needs a PostgreSQL of this machine)",
  () => {
    let server: TestPostgres;
    let apps: AppsPostgres;
    let doors: Doors;
    beforeAll(async () => {
      server = await startPostgres();
      apps = openAppsPostgres(server.url, () => "here");
      doors = openDoors(apps);
    });
    afterAll(async () => {
      await doors?.close();
      await apps?.close();
      await server?.close();
    });

    async function inCopy<Result>(copied: Copied, act: (client: Client) => Promise<Result>) {
      const door = createServer({ allowHalfOpen: true }, (socket) => copied.take(socket));
      await once(door.listen(0, "127.0.0.1"), "listening");
      const { port } = door.address() as AddressInfo;
      const client = new Client({ host: "127.0.0.1", port, user: "app", database: "app" });
      client.on("error", () => undefined);
      await client.connect();
      try {
        return await act(client);
      } finally {
        await client.end().catch(() => undefined);
        door.close();
      }
    }

    const contentOf = async (client: Client) => {
      const all: unknown[][] = [];
      for (const text of CONTENT) all.push((await client.query({ text, rowMode: "array" })).rows);
      return all;
    };
    const databases = async (beginning: string) => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query(
        "SELECT datname FROM pg_database WHERE starts_with(datname, $1)",
        [beginning],
      );
      await client.end();
      return rows.length;
    };

    it.each([
      ["nobody is connected to the app's", false],
      ["the app stays connected, and is not disturbed", true],
    ])("contains everything of the app's database if %s", async (_where, connected) => {
      const app = `copied${connected ? "busy" : "free"}`;
      const own = await doors.signIn(app);
      await own.query(SCHEMA);
      const before = await contentOf(own);
      if (connected) await own.query("BEGIN; UPDATE people SET mail = 'open@x.org' WHERE id = 1");
      else await own.end();
      const copied = await apps.openCopy(app);
      await inCopy(copied, async (client) => {
        expect(await contentOf(client)).toEqual(before);
        await client.query("INSERT INTO people (mail) VALUES ('new@x.org')");
        await client.query(`INSERT INTO "odd name"."the ""notes""" (of) VALUES (2)`);
        await client.query("DELETE FROM people WHERE id = 1");
        await client.query("UPDATE people SET age = 9 WHERE id = 2");
        const { rows } = await client.query(
          `SELECT max(id) AS id, (SELECT at FROM people WHERE id = 2)::date::text AS at, (SELECT max(number) FROM "odd name"."the ""notes""") AS number FROM people`,
        );
        expect(rows).toEqual([{ id: 452, at: "2000-01-01", number: 10 }]);
        expect((await client.query("SELECT * FROM people WHERE id = 1")).rows).toEqual([]);
      });
      if (connected) await own.query("ROLLBACK");
      const again = connected ? own : await doors.signIn(app);
      expect(await contentOf(again)).toEqual(before);
      await again.end();
      await copied.drop();
      expect(await databases(`treadle_${app}_copy_`)).toBe(0);
    });

    it("is created for the first connection if the app has none, and is removed with the copy", async () => {
      const copied = await apps.openCopy("none");
      expect(await databases("treadle_none_")).toBe(0);
      await inCopy(copied, (client) => client.query("CREATE TABLE a (b int)"));
      expect(await databases("treadle_none_copy_")).toBe(1);
      expect(await apps.has("none")).toBe(false);
      await copied.drop();
      expect(await databases("treadle_none_")).toBe(0);
    });

    it("is empty if requested, and the app's database stays unchanged", async () => {
      await doors.ask("full", "CREATE TABLE a (b int)");
      const copied = await apps.openCopy("full", { empty: true });
      await inCopy(copied, (client) => client.query("CREATE TABLE a (b text)"));
      await copied.drop();
      await doors.ask("full", "INSERT INTO a VALUES (1)");
    });

    it("has a different digest after writes, and the same after reads", async () => {
      await doors.ask("told", `CREATE TABLE "a b" (b int); INSERT INTO "a b" VALUES (1), (2)`);
      const copied = await apps.openCopy("told");
      const seen = new Set([await copied.digest()]);
      const after = async (text: string) => {
        await inCopy(copied, (client) => client.query(text));
        return copied.digest();
      };
      expect(seen).toContain(await after(`SELECT * FROM "a b"`));
      for (const text of [
        `INSERT INTO "a b" VALUES (3)`,
        `UPDATE "a b" SET b = 4 WHERE b = 3`,
        `DELETE FROM "a b" WHERE b = 1`,
      ]) {
        const digest = await after(text);
        expect(seen).not.toContain(digest);
        seen.add(digest);
      }
      await copied.drop();
      const none = await apps.openCopy("nothing");
      expect(await none.digest()).toBeUndefined();
      await none.drop();
    });

    it("left after a crash is removed at the next start, with the next copy, and with the project", async () => {
      await doors.ask("left", "CREATE TABLE a (b int)");
      await apps.openCopy("left");
      const next = openAppsPostgres(server.url, () => "here");
      await next.removeLeftCopies(["another", "lef"]);
      expect(await databases("treadle_left_copy_")).toBe(1);
      await next.removeLeftCopies(["left"]);
      expect(await databases("treadle_left_copy_")).toBe(0);
      await apps.openCopy("left");
      await next.openCopy("left");
      expect(await databases("treadle_left_copy_")).toBe(1);
      await next.removeProject("left");
      expect(await databases("treadle_left_")).toBe(0);
      await next.close();
    });

    it("is refused, leaving nothing, if an object could not be recreated while the app is connected", async () => {
      const own = await doors.signIn("parts");
      await own.query("CREATE TABLE a (b int) PARTITION BY RANGE (b)");
      await expect(apps.openCopy("parts")).rejects.toThrow("partitioned");
      expect(await databases("treadle_parts_copy_")).toBe(0);
      expect((await own.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
      await own.end();
      const copied = await apps.openCopy("parts");
      await inCopy(copied, (client) => client.query("SELECT * FROM a"));
      await copied.drop();
    });
  },
);
