import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { project } from "../contract.test-support.ts";
import { openStore } from "../open-store.ts";
import { lacksPostgres, startDatabases } from "./database.test-support.ts";

const root = mkdtempSync(join(tmpdir(), "treadle-open-postgres-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;
const folder = () => join(root, String(++count));
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as Error & { code: string },
  );

describe("an address of a database", () => {
  it("that is none of PostgreSQL is refused, before anything is made", async () => {
    const directory = folder();
    for (const database of ["mysql://root:secret@db/x", "file:./dev.db", "nonsense"]) {
      const error = await failureOf(openStore({ directory, database }));
      expect(error).toMatchObject({ name: "StoreError", code: "address" });
      expect(error?.message).not.toContain("secret");
    }
    expect(readdirSync(root)).toEqual([]);
  });

  it("where nobody answers is refused without its password", async () => {
    const database = "postgres://me:secret@127.0.0.1:1/treadle";
    const error = await failureOf(openStore({ directory: folder(), database }));
    expect(error).toMatchObject({ name: "StoreError", code: "unreachable" });
    expect(error?.message).toContain("127.0.0.1:1/treadle");
    expect(error?.message).not.toContain("secret");
  });
});

describe.skipIf(lacksPostgres)("opening a store in PostgreSQL", () => {
  let databases: Awaited<ReturnType<typeof startDatabases>>;
  beforeAll(async () => {
    databases = await startDatabases();
  });
  afterAll(() => databases.close());

  it("is refused where the folder's projects are in SQLite, and SQLite where they are in PostgreSQL", async () => {
    const [old, fresh] = [folder(), folder()];
    const database = await databases.create();
    const sqlite = await openStore({ directory: old });
    await sqlite.projects.create(project("a"));
    await sqlite.close();
    expect(await failureOf(openStore({ directory: old, database }))).toMatchObject({
      code: "unmoved",
    });
    const store = await openStore({ directory: fresh, database });
    expect(store.database).toMatch(/^PostgreSQL \d+[.\d]* 127\.0\.0\.1:\d+\/store\d+$/);
    await store.close();
    // As long as it holds nothing, nothing can be lost sight of.
    await (await openStore({ directory: fresh })).close();
    const again = await openStore({ directory: fresh, database });
    await again.projects.create(project("b"));
    await again.close();
    expect(await failureOf(openStore({ directory: fresh }))).toMatchObject({ code: "moved" });
    const last = await openStore({ directory: fresh, database });
    expect(await last.projects.list()).toHaveLength(1);
    await last.close();
  });

  it("refuses a role without rights, a database of a newer Treadle, and a folder that another has open", async () => {
    const database = await databases.create();
    const directory = folder();
    const store = await openStore({ directory, database });
    expect(await failureOf(openStore({ directory, database }))).toMatchObject({ code: "busy" });
    await store.close();
    const wrong = database.replace("secret", "wrong");
    expect(await failureOf(openStore({ directory, database: wrong }))).toMatchObject({
      code: "unreachable",
    });
    const missing = database.replace(/\d+$/, "none");
    expect(await failureOf(openStore({ directory, database: missing }))).toMatchObject({
      code: "unreachable",
    });
    const { Client } = await import("pg");
    const client = new Client({ connectionString: database });
    await client.connect();
    await client.query("insert into treadle.kysely_migration values ('9999-future', '2099-01-01')");
    await client.end();
    expect(await failureOf(openStore({ directory, database }))).toMatchObject({ code: "newer" });
  });

  it("leaves a database's other tables alone, of the same names among them", async () => {
    const database = await databases.create();
    const { Client } = await import("pg");
    const client = new Client({ connectionString: database });
    await client.connect();
    await client.query("create table kysely_migration (name text)");
    await client.query("create table projects as select 1 as theirs");
    const store = await openStore({ directory: folder(), database });
    await store.projects.create(project("a"));
    await store.close();
    expect((await client.query("select * from public.projects")).rows).toEqual([{ theirs: 1 }]);
    await client.end();
  });
});
