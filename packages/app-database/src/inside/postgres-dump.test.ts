import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres-database.ts";
import { dumpDatabase, keepCopy, loadDump } from "./postgres-dump.ts";
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
} from "../../../workspace/src/testing/postgres.test-support.ts";

const SCHEMA = `
CREATE TYPE mood AS ENUM ('glad', 'it''s');
CREATE SCHEMA shop;
CREATE TABLE users (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, mood mood, at timestamptz DEFAULT now(), face bytea, big numeric(30, 5), tags text[], extra jsonb);
CREATE TABLE shop.orders (id serial PRIMARY KEY, user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, total int NOT NULL, doubled int GENERATED ALWAYS AS (total * 2) STORED);
CREATE INDEX orders_of_user ON shop.orders (user_id);
CREATE VIEW totals AS SELECT name, sum(total) AS total FROM users JOIN shop.orders ON user_id = users.id GROUP BY 1;
CREATE FUNCTION shout(text) RETURNS text LANGUAGE sql AS $$ SELECT upper($1) || (SELECT count(*) FROM users) $$;
INSERT INTO users (name, mood, at, face, big, tags, extra) VALUES
  ('a;b''\\n"', 'it''s', '2026-01-02 03:04:05.678+00', '\\x00ff', 123456789012345678901.5, ARRAY['x', NULL, 'y,z'], '{"a": [1, "''"]}'),
  ('-- no remark', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO shop.orders (user_id, total) SELECT 1 + n % 2, n FROM generate_series(1, 450) AS n;
`;

describe.skipIf(postgresPrograms === undefined)(
  "an app's PostgreSQL database as SQL (needs a PostgreSQL of this machine)",
  () => {
    let server: TestPostgres;
    let client: Client;
    let root: string;
    let count = 0;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.close());
    beforeEach(async () => {
      root = mkdtempSync(join(tmpdir(), "treadle-dump-"));
      const { hostname, port, username, password } = new URL(server.url);
      const database = `app${++count}`;
      const admin = new Client({ connectionString: server.url });
      await admin.connect();
      await admin.query(`CREATE DATABASE ${database}`);
      await admin.end();
      for (const [name, value] of Object.entries({
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: username,
        PGPASSWORD: password,
        PGDATABASE: database,
      }))
        vi.stubEnv(name, value);
      client = new Client();
      await client.connect();
    });
    afterEach(async () => {
      await client.end();
      vi.unstubAllEnvs();
      rmSync(root, { recursive: true, force: true });
    });
    const rows = async (sql: string) => (await client.query({ text: sql, rowMode: "array" })).rows;
    const dump = async (name: string) => {
      await dumpDatabase(join(root, name));
      return readFileSync(join(root, name), "utf8");
    };

    it("is exported and imported unchanged, with its sequences, while an app is connected", async () => {
      await client.query(SCHEMA);
      const first = await dump("first.sql");
      expect(first).toContain("OVERRIDING SYSTEM VALUE VALUES");
      await client.query("DROP TABLE shop.orders CASCADE; UPDATE users SET name = 'b' || id");
      await client.query("CREATE TABLE later (a int)");
      expect(await loadDump(root, join(root, "first.sql"))).toContain(
        ".data/copies/PostgreSQL-before-import.sql",
      );
      expect(await dump("second.sql")).toBe(first);
      expect(await rows("SELECT name, total FROM totals ORDER BY 2")).toEqual([
        ["-- no remark", "50625"],
        ["a;b'\\n\"", "50850"],
      ]);
      expect(await rows("INSERT INTO users (name) VALUES ('c') RETURNING id")).toEqual([["3"]]);
      expect(await rows("SELECT shout('a'), to_regclass('later')")).toEqual([["A3", null]]);
      // The previous content can be restored from its copy in the same way.
      await loadDump(root, join(root, ".data/copies/PostgreSQL-before-import.sql"));
      expect(await rows("SELECT name FROM users ORDER BY id")).toEqual([["b1"], ["b2"]]);
      expect(await rows("SELECT a FROM later")).toEqual([]);
    });

    it("is unchanged if any statement of an import fails, whose line is reported", async () => {
      await client.query("CREATE TABLE kept AS SELECT 1 AS one");
      const bad = join(root, "bad.sql");
      for (const [text, expected] of [
        ["CREATE TABLE a (b int);\nINSERT INTO none VALUES (1);\n", /^Line 2: .*none.*Nothing was/],
        ["CREATE TABLE a (b int);\nCOMMIT;\n", /Nothing was changed/],
        ["-- nothing\n", /Nothing was changed/],
        [Buffer.from([0xc3, 0x28]), /Nothing was changed/],
      ] as const) {
        writeFileSync(bad, text);
        await expect(loadDump(root, bad)).rejects.toThrow(expected);
        expect(await rows("SELECT one FROM kept")).toEqual([[1]]);
      }
    });

    it("is not exported if the export could not be imported", async () => {
      await client.query("CREATE TABLE p (a int) PARTITION BY RANGE (a)");
      await expect(dump("p.sql")).rejects.toThrow(/partitioned/);
      expect(readdirSync(root)).toEqual([]);
      expect(await keepCopy(root, "x")).toBeUndefined();
    });

    it("is saved before a migration changes it, in at most three copies", async () => {
      const database = await openPostgres(root);
      const put = (number: number) =>
        writeFileSync(
          join(root, "migrations", `000${number}_a.sql`),
          `CREATE TABLE a${number} (a int);`,
        );
      mkdirSync(join(root, "migrations"));
      const run = () => migrate(root, database, { seed: false, copy: true });
      put(1);
      expect((await run()).lines).toEqual(["Ran migrations/0001_a.sql on PostgreSQL."]);
      expect(existsSync(join(root, ".data"))).toBe(false);
      put(2);
      expect((await run()).lines[0]).toBe(
        "Kept a copy: .data/copies/PostgreSQL-before-0002_a.sql.",
      );
      for (const number of [3, 4, 5]) {
        put(number);
        await run();
      }
      expect(readdirSync(join(root, ".data/copies"))).toHaveLength(3);
      await database.close();
    });
  },
);
