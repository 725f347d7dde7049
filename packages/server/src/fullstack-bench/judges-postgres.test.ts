import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDriver, type WorkspaceDriver } from "@treadle/workspace";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startJudgesPostgres, UnusableDatabase, type JudgesPostgres } from "./judges-postgres.ts";
import { readStatementLog } from "./statement-log.ts";
import { mkdirSync, writeFileSync } from "node:fs";

let folder: string;
let driver: WorkspaceDriver;
const { signal } = new AbortController();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-judges-"));
  driver = await createDriver({ cacheDirectory: join(folder, "cache"), env: process.env });
});
afterAll(async () => {
  await driver.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(postgres: JudgesPostgres, sql: string): Promise<unknown[]> {
  const client = new Client(await postgres.config());
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

it("makes a data directory of version 14 that opens again with the benchmark's own names", async () => {
  const work = join(folder, "work");
  const made = join(folder, "made", "db");
  const first = await startJudgesPostgres(driver, { work, signal });
  await ask(first, "CREATE TABLE notes (id serial PRIMARY KEY, text text)");
  await ask(first, "INSERT INTO notes (text) VALUES ('Milk')");
  await first.stop(made);
  expect(readFileSync(join(made, "PG_VERSION"), "utf8").trim()).toBe("14");
  expect(existsSync(join(made, "postmaster.pid"))).toBe(false);
  expect(existsSync(work)).toBe(false);

  const again = await startJudgesPostgres(driver, { work, from: made, signal });
  expect(await ask(again, "SELECT text FROM notes")).toEqual([{ text: "Milk" }]);
  await expect
    .poll(async () => readStatementLog(await again.log()).map(({ sql }) => sql))
    .toContain("SELECT text FROM notes");
  await again.stop();
}, 120_000);

it("refuses a data directory of another version", async () => {
  const from = join(folder, "other");
  mkdirSync(from);
  writeFileSync(join(from, "PG_VERSION"), "15\n");
  await expect(
    startJudgesPostgres(driver, { work: join(folder, "work"), from, signal }),
  ).rejects.toThrow(UnusableDatabase);
}, 120_000);
