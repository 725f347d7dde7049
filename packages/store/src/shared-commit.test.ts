import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Schema } from "./schema.ts";
import { createSharedCommit } from "./shared-commit.ts";
import { nodeSqliteDialect } from "./sqlite/node-sqlite-dialect.ts";

describe("concurrent writes", () => {
  let directory: string;
  let db: Kysely<Schema>;
  let commits = 0;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "treadle-shared-"));
    db = new Kysely<Schema>({
      dialect: nodeSqliteDialect(new DatabaseSync(join(directory, "a.sqlite"))),
      log: ({ query }) => void (query.sql === "commit" && commits++),
    });
    await sql`create table settings (key text primary key, value text not null)`.execute(db);
    commits = 0;
  });
  afterEach(async () => {
    await db.destroy();
    rmSync(directory, { recursive: true });
  });
  const put = (key: string) => (transaction: Kysely<Schema>) =>
    transaction.insertInto("settings").values({ key, value: "1" }).execute();
  const keys = async () =>
    (await db.selectFrom("settings").select("key").orderBy("key").execute()).map(({ key }) => key);

  it("share one commit, and each resolves once it is durable", async () => {
    const { write } = createSharedCommit(db);
    await Promise.all(["a", "b", "c"].map((key) => write(put(key))));
    expect(await keys()).toEqual(["a", "b", "c"]);
    expect(commits).toBe(1);
  });

  it("if one fails, the others are stored, and only that one is rejected", async () => {
    const { write } = createSharedCommit(db);
    const all = await Promise.allSettled(["a", "a", "b"].map((key) => write(put(key))));
    expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await keys()).toEqual(["a", "b"]);
  });

  it("beyond a group's size need several commits, in order", async () => {
    const { write, idle } = createSharedCommit(db);
    const seen: number[] = [];
    const all = Array.from({ length: 201 }, (_, n) => write(async () => void seen.push(n)));
    await idle();
    await Promise.all(all);
    expect(seen).toEqual(Array.from({ length: 201 }, (_, n) => n));
    expect(commits).toBe(2);
  });
});
