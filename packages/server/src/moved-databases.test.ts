import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
} from "../../workspace/src/testing/postgres.test-support.ts";
import { openDoors } from "../../app-database/src/postgres/doors.test-support.ts";
import { readAppsPostgres } from "@treadle/app-database";
import { diagnose } from "./diagnose.ts";
import { databasesOfOthers, seeToDatabases, takeDatabases } from "./moved-databases.ts";

describe.skipIf(postgresPrograms === undefined)(
  "a copied data folder on one PostgreSQL server (needs a PostgreSQL of this machine)",
  () => {
    let server: TestPostgres;
    let root: string;
    let env: NodeJS.ProcessEnv;
    beforeAll(async () => {
      server = await startPostgres();
      env = { ...process.env, TREADLE_APPS_DATABASE_URL: server.url };
      root = mkdtempSync(join(tmpdir(), "treadle-moved-"));
      for (const project of ["projects/first", "folders/mine/projects/second"])
        mkdirSync(join(root, "original", project), { recursive: true });
    });
    afterAll(async () => {
      rmSync(root, { recursive: true, force: true });
      await server?.close();
    });

    async function ask(folder: string, project: string, sql: string): Promise<unknown[][]> {
      const postgres = readAppsPostgres(env, folder)!;
      const doors = openDoors(postgres);
      try {
        return await doors.ask(project, sql);
      } finally {
        await doors.close();
        await postgres.close();
      }
    }

    it("takes over its data after a move only if a person confirms it", async () => {
      const [original, copy] = [join(root, "original"), join(root, "copy")];
      const make = "CREATE TABLE notes AS SELECT 'kept' AS text";
      await ask(original, "first", make);
      await ask(join(original, "folders/mine"), "second", make);
      expect(await databasesOfOthers(env, original)).toEqual([]);
      cpSync(original, copy, { recursive: true, preserveTimestamps: true });

      expect(await databasesOfOthers(env, copy)).toEqual(["first", "second"]);
      await expect(ask(copy, "first", "DELETE FROM notes")).rejects.toThrow("another data folder");
      const { checks } = await diagnose({ dataDirectory: copy, env });
      expect(checks.find(({ name }) => name === "databases of apps")).toMatchObject({
        ok: false,
        detail: expect.stringContaining("first, second"),
        mend: expect.stringContaining("treadle doctor --take-databases"),
      });

      const notices: string[] = [];
      const postgres = readAppsPostgres(env, copy)!;
      await seeToDatabases(postgres, copy, (text) => notices.push(text));
      await postgres.close();
      expect(notices).toEqual([expect.stringContaining("of one project belong to another")]);

      expect(await takeDatabases(env, copy)).toEqual(["first", "second"]);
      expect(await databasesOfOthers(env, copy)).toEqual([]);
      expect(await ask(copy, "first", "SELECT text FROM notes")).toEqual([["kept"]]);
      await expect(ask(original, "first", "SELECT 1")).rejects.toThrow("another data folder");
    });

    it("takes over data of earlier versions when it is started, before any of its apps asks", async () => {
      const original = join(root, "earlier");
      mkdirSync(join(original, "projects/old"), { recursive: true });
      await ask(original, "old", "CREATE TABLE notes AS SELECT 'kept' AS text");
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query('COMMENT ON ROLE "treadle_old_preview" IS NULL');
      await client.end();
      const copy = join(root, "copy-of-earlier");
      cpSync(original, copy, { recursive: true });
      const postgres = readAppsPostgres(env, original)!;
      await seeToDatabases(postgres, original, expect.unreachable);
      await postgres.close();
      await expect(ask(copy, "old", "SELECT 1")).rejects.toThrow("another data folder");
    });

    it("takes nothing if no server is named", async () => {
      await expect(takeDatabases({}, root)).rejects.toThrow("TREADLE_APPS_DATABASE_URL");
    });
  },
);
