import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { project } from "../contract.test-support.ts";
import { createEntryWriter } from "./append-entries.ts";
import { connectionOptions, SET_SCHEMA } from "./connection-options.ts";
import { lacksPostgres, startDatabases } from "./database.test-support.ts";
import { openStore } from "../open-store.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const UNFENCED = { isOn: () => false, lost: () => {} };

describe.skipIf(lacksPostgres)("a group of entries", () => {
  const directory = mkdtempSync(join(tmpdir(), "treadle-append-"));
  let databases: Awaited<ReturnType<typeof startDatabases>>;
  let pool: Pool;
  beforeAll(async () => {
    databases = await startDatabases();
    const database = await databases.create();
    const store = await openStore({ directory, database });
    for (const id of ["a", "b"]) await store.projects.create(project(id));
    await store.close();
    pool = new Pool({
      ...connectionOptions(database),
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it
      onConnect: (client) => client.query(SET_SCHEMA),
    });
  });
  afterAll(async () => {
    await pool.end();
    await databases.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const entry = (project: string, json: string) => ({ project, at: 1, stream: null, json });
  const rows = async () =>
    (
      await pool.query<{ project: string; seq: number; event: string }>(
        "select project, seq, event from log order by project, seq",
      )
    ).rows.map(({ project, seq, event }) => `${project} ${seq} ${event}`);

  it("is appended once, however often it is sent, and others of the same writer after it", async () => {
    const writer = createEntryWriter(pool, "one", UNFENCED);
    const group = [entry("a", "1"), entry("b", "2"), entry("gone", "3"), entry("a", "4")];
    const heads = await Promise.all([1, 2, 3].map(() => writer.append(group, 1)));
    expect(heads.filter((one) => one !== undefined)).toEqual([new Map([["a", 2], ["b", 1]])]); // prettier-ignore
    expect(await writer.append(group, 1)).toBeUndefined();
    expect(await writer.append([entry("a", "5")], 2)).toEqual(new Map([["a", 3]]));
    const other = createEntryWriter(pool, "other", UNFENCED);
    expect(await other.append([entry("a", "6")], 1)).toEqual(new Map([["a", 4]]));
    expect(await rows()).toEqual(["a 1 1", "a 2 4", "a 3 5", "a 4 6", "b 1 2"]);
    await writer.close();
    await other.close();
    expect((await pool.query("select 1 from log_writers")).rows).toEqual([]);
  });
});
