import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createLocalDriver, type OwnPostgres, type WorkspaceDriver } from "@treadle/workspace";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  connectTo,
  postgresPrograms,
} from "../../../../packages/workspace/src/testing/postgres.test-support.ts";
import { backup } from "./backup.ts";
import { restore } from "./restore.ts";

describe.skipIf(postgresPrograms === undefined)(
  "a backup of a data folder with a PostgreSQL of Treadle's own (needs the programs of this machine)",
  () => {
    let around: string;
    let driver: WorkspaceDriver;
    const servers: OwnPostgres[] = [];
    const clients: Awaited<ReturnType<typeof connectTo>>[] = [];
    beforeAll(() => {
      around = mkdtempSync(join(tmpdir(), "treadle-backup-postgres-"));
      driver = createLocalDriver({ cacheDirectory: join(around, "cache"), env: process.env });
      vi.spyOn(process.stdout, "write").mockReturnValue(true);
    });
    afterAll(async () => {
      vi.restoreAllMocks();
      for (const client of clients) await client.end().catch(() => undefined);
      for (const server of servers) await server.close();
      await driver.close();
      rmSync(around, { recursive: true, force: true });
    });

    function makeFolder(data: string): void {
      mkdirSync(data);
      const database = new DatabaseSync(join(data, "treadle.sqlite"));
      database.exec("create table projects (name text)");
      database.close();
    }

    async function open(data: string) {
      const server = driver.servePostgres!({ directory: join(data, "postgres/server") });
      servers.push(server);
      await server.lease();
      const client = await connectTo({ connectionString: server.url });
      clients.push(client);
      return client;
    }
    const countIn = async (client: (typeof clients)[number]) =>
      Number((await client.query("SELECT count(*) AS n FROM rows")).rows[0].n);

    it("contains what was committed by then, while an app continues to write, and can be restored", async () => {
      const data = join(around, "data");
      makeFolder(data);
      const client = await open(data);
      await client.query("CREATE TABLE rows (id int PRIMARY KEY, twice int)");
      let written = 0;
      let isOver = false;
      const writing = (async () => {
        for (; !isOver; written++)
          await client.query("INSERT INTO rows VALUES ($1, $1 * 2)", [written]);
      })();
      await expect.poll(() => written).toBeGreaterThan(20);
      const before = written;
      const file = join(around, "all.tar.gz");
      expect(await backup({ file, data })).toBe(0);
      const atEnd = written;
      // The original continues.
      await expect.poll(() => written).toBeGreaterThan(atEnd);
      isOver = true;
      await writing;
      const back = join(around, "back");
      expect(await restore({ file, data: back })).toBe(0);
      const restored = await open(back);
      const restoredCount = await countIn(restored);
      expect(restoredCount).toBeGreaterThanOrEqual(before);
      expect(restoredCount).toBeLessThanOrEqual(await countIn(client));
      expect((await restored.query("SELECT 1 FROM rows WHERE twice <> id * 2")).rowCount).toBe(0);
    });

    it("contains the data of a suspended server too", async () => {
      const data = join(around, "asleep");
      makeFolder(data);
      const client = await open(data);
      await client.query("CREATE TABLE rows AS SELECT 1 AS id");
      await client.end();
      await servers.at(-1)!.close();
      const file = join(around, "asleep.tar.gz");
      expect(await backup({ file, data })).toBe(0);
      const back = join(around, "asleep back");
      expect(await restore({ file, data: back })).toBe(0);
      expect(await countIn(await open(back))).toBe(1);
    });
  },
);
