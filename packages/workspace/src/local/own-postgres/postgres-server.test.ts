import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { postgresPrograms } from "../../testing/postgres.test-support.ts";
import type { OwnPostgres, WorkspaceDriver } from "../../types.ts";
import { createLocalDriver } from "../driver.ts";

async function ask(url: string, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

describe.skipIf(postgresPrograms === undefined)(
  "a PostgreSQL server of Treadle's own (needs the programs of this machine)",
  () => {
    let folder: string;
    let driver: WorkspaceDriver;
    const open: OwnPostgres[] = [];
    const serve = (idleMs?: number) => {
      const options = { directory: join(folder, "postgres"), idleMs };
      const server = driver.servePostgres!(options);
      open.push(server);
      return server;
    };
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "treadle-own-postgres-"));
      driver = createLocalDriver({ cacheDirectory: join(folder, "cache"), env: process.env });
    });
    afterEach(async () => {
      for (const server of open.splice(0)) await server.close();
    });
    afterAll(async () => {
      await driver.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it("creates nothing before the first request", async () => {
      const server = serve();
      expect(server.hasData()).toBe(false);
      expect(await server.describe()).toMatchObject({ ok: true, from: "system" });
      await server.close();
      expect(existsSync(join(folder, "postgres"))).toBe(false);
      await expect(server.lease()).rejects.toThrow();
    });

    it("answers while a lease is held, stores its data, and has no network and no files of the host", async () => {
      const server = serve();
      const releases = await Promise.all([server.lease(), server.lease()]);
      await ask(server.url, "CREATE TABLE kept (word text); INSERT INTO kept VALUES ('here')");
      expect(await ask(server.url, "SHOW listen_addresses")).toEqual([[""]]);
      expect(await ask(server.url, "SELECT pg_read_file('/proc/net/dev') LIKE '%eth0%'")).toEqual([
        [false],
      ]);
      await expect(ask(server.url, `SELECT pg_read_file('${folder}/x')`)).rejects.toThrow(
        /No such/,
      );
      expect(statSync(join(folder, "postgres")).mode & 0o77).toBe(0);
      for (const release of releases) release();
      await server.close();
      await expect(ask(server.url, "SELECT 1")).rejects.toThrow();
      const next = serve();
      await next.lease();
      expect(await ask(next.url, "SELECT word FROM kept")).toEqual([["here"]]);
    });

    it("is stopped when nobody uses it, and started again by the next lease", async () => {
      const server = serve(1);
      const release = await server.lease();
      release();
      release();
      await expect.poll(() => ask(server.url, "SELECT 1").catch(() => "gone")).toBe("gone");
      await server.lease();
      expect(await ask(server.url, "SELECT 1")).toEqual([[1]]);
    });

    it("recovers committed data after it was killed", async () => {
      const server = serve();
      await server.lease();
      await ask(server.url, "CREATE TABLE killed (n int); INSERT INTO killed VALUES (7)");
      // A program started by a superuser is the quickest way to end everything at once.
      await ask(server.url, "COPY (SELECT 1) TO PROGRAM 'kill -9 -1'").catch(() => undefined);
      // Its end is noticed a moment later: until then, requests fail as with any dead server.
      const rows = async () => {
        await server.lease();
        return ask(server.url, "SELECT n FROM killed");
      };
      await expect.poll(() => rows().catch(() => [])).toEqual([[7]]);
    });

    it("is not kept from starting by the pid file of a dead server", async () => {
      const server = serve();
      await server.lease();
      await server.close();
      writeFileSync(join(folder, "postgres/main/postmaster.pid"), "1\n/elsewhere\n1\n");
      const next = serve();
      await next.lease();
      expect(await ask(next.url, "SELECT 1")).toEqual([[1]]);
    });

    it("explains what to do with data of a version for which there are no programs", async () => {
      const note = join(folder, "postgres/main/PG_VERSION");
      const version = readFileSync(note, "utf8");
      writeFileSync(note, "9\n");
      const server = serve();
      await expect(server.lease()).rejects.toThrow(/version 9.*TREADLE_POSTGRES_BIN/);
      expect(await server.describe()).toMatchObject({ ok: false });
      writeFileSync(note, version);
    });
  },
);
