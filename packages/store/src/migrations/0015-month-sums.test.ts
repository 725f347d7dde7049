import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openStore } from "../open-store.ts";
import { lacksPostgres, startDatabases } from "../postgres/database.test-support.ts";
import { up } from "./0015-month-sums.ts";

it.for([
  { name: "SQLite", isPostgres: false },
  { name: "PostgreSQL", isPostgres: true },
])("sums up what was spent before, by month, in $name", async ({ isPostgres }, { skip }) => {
  skip(isPostgres && lacksPostgres);
  const directory = mkdtempSync(join(tmpdir(), "treadle-month-sums-"));
  const databases = isPostgres ? await startDatabases() : undefined;
  const store = await openStore({ directory, database: await databases?.create() });
  try {
    const db = store.accounts;
    const call = (id: string, at: number, project: string | null, cost_usd: number | null) =>
      db
        .insertInto("spending")
        .values({
          id,
          at,
          person: "ada",
          team: null,
          project,
          run: null,
          model: "a:b",
          input_tokens: 10,
          cached_tokens: 5,
          output_tokens: 1,
          cost_usd,
        }) // prettier-ignore
        .execute();
    const [december, january] = [Date.UTC(2026, 11), Date.UTC(2027, 0)];
    await call("1", january - 1, "p", 0.5);
    await call("2", january, null, null);
    await call("3", january + 1, "p", 0.25);
    await call("4", Date.UTC(2027, 2, 31), "p", 1);
    await db.schema.dropTable("month_sums").execute();
    await up(db as never);
    const rows = await db
      .selectFrom("month_sums")
      .selectAll()
      .orderBy("kind")
      .orderBy("month")
      .execute();
    const march = Date.UTC(2027, 2);
    expect(rows).toEqual([
      { kind: "person", subject: "ada", month: december, tokens: 11, cost_usd: 0.5 },
      { kind: "person", subject: "ada", month: january, tokens: 22, cost_usd: 0.25 },
      { kind: "person", subject: "ada", month: march, tokens: 11, cost_usd: 1 },
      { kind: "project", subject: "p", month: december, tokens: 11, cost_usd: 0.5 },
      { kind: "project", subject: "p", month: january, tokens: 11, cost_usd: 0.25 },
      { kind: "project", subject: "p", month: march, tokens: 11, cost_usd: 1 },
    ]);
  } finally {
    await store.close();
    await databases?.close();
    rmSync(directory, { recursive: true });
  }
});
