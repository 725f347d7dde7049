import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { storeContract } from "../contract.test-support.ts";
import { openStore } from "../open-store.ts";
import { lacksPostgres, startDatabases } from "./database.test-support.ts";

describe.skipIf(lacksPostgres)("a store in PostgreSQL", () => {
  const root = mkdtempSync(join(tmpdir(), "treadle-postgres-store-"));
  let databases: Awaited<ReturnType<typeof startDatabases>>;
  beforeAll(async () => {
    databases = await startDatabases();
  });
  afterAll(async () => {
    await databases.close();
    rmSync(root, { recursive: true, force: true });
  });
  let count = 0;

  storeContract("PostgreSQL", async () =>
    openStore({ directory: join(root, String(++count)), database: await databases.create() }),
  );
});
