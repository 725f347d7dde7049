import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { project, text } from "../../../../packages/store/src/contract.test-support.ts";
import { openStore } from "../../../../packages/store/src/open-store.ts";
import {
  lacksPostgres,
  startDatabases,
} from "../../../../packages/store/src/postgres/database.test-support.ts";
import { backup } from "./backup.ts";
import { migrateStore } from "./migrate-store.ts";
import { restore } from "./restore.ts";

describe.skipIf(lacksPostgres)("projects in PostgreSQL", () => {
  let around: string;
  let databases: Awaited<ReturnType<typeof startDatabases>>;
  beforeAll(async () => {
    around = mkdtempSync(join(tmpdir(), "treadle-backup-store-"));
    databases = await startDatabases();
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, "write").mockReturnValue(true);
  });
  afterEach(() => void vi.unstubAllEnvs());
  afterAll(async () => {
    vi.restoreAllMocks();
    await databases.close();
    rmSync(around, { recursive: true, force: true });
  });

  it("are in a backup that is made while they are written, and restored to SQLite or another database", async () => {
    const [data, file] = [join(around, "data"), join(around, "all.tar.gz")];
    const [database, other] = [await databases.create(), await databases.create()];
    const store = await openStore({ directory: data, database });
    await store.projects.create(project("a"));
    store.log.append("a", text("kept"));
    await store.settings.set("secret:x", "sealed");
    await store.log.settled();
    vi.stubEnv("DATABASE_URL", database);
    expect(await backup({ file, data })).toBe(0);
    await store.close();

    const [inSqlite, inOther, inUsed] = ["sqlite", "other", "used"].map((name) => join(around, name)); // prettier-ignore
    vi.stubEnv("DATABASE_URL", "");
    expect(await restore({ file, data: inSqlite! })).toBe(0);
    vi.stubEnv("DATABASE_URL", other);
    expect(await restore({ file, data: inOther! })).toBe(0);
    vi.stubEnv("DATABASE_URL", database);
    // What is there stays, and so does what was unpacked.
    expect(await restore({ file, data: inUsed! })).not.toBe(0);
    for (const options of [
      { directory: inSqlite! },
      { directory: inOther!, database: other },
      { directory: inUsed! },
    ]) {
      const restored = await openStore(options);
      expect((await restored.projects.list()).map(({ id }) => id)).toEqual(["a"]);
      expect(await restored.log.read("a", 0)).toMatchObject([{ seq: 1, event: text("kept") }]);
      expect(await restored.settings.get("secret:x")).toBe("sealed");
      await restored.close();
    }
  });

  it("are not in a backup where it is not said in which database they are: none is made", async () => {
    const [data, file] = [join(around, "unsaid"), join(around, "unsaid.tar.gz")];
    const store = await openStore({ directory: data, database: await databases.create() });
    await store.projects.create(project("a"));
    await store.close();
    vi.stubEnv("DATABASE_URL", "");
    expect(await backup({ file, data })).not.toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  it("move there and back with a command", async () => {
    const [data, database] = [join(around, "moved"), await databases.create()];
    const store = await openStore({ directory: data });
    await store.projects.create(project("a"));
    await store.close();
    expect(await migrateStore({ to: database, from: undefined, data })).toBe(0);
    await expect(migrateStore({ to: database, from: undefined, data })).rejects.toMatchObject({
      code: "moved",
    });
    expect(await migrateStore({ to: undefined, from: database, data })).toBe(0);
    const back = await openStore({ directory: data });
    expect(await back.projects.list()).toHaveLength(1);
    await back.close();
  });
});
