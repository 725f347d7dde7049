import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalDriver } from "@treadle/workspace";

/** Starts a server as Treadle does, until it is closed. */
export async function startOwnPostgres() {
  const folder = mkdtempSync(join(tmpdir(), "treadle-own-"));
  const driver = createLocalDriver({ cacheDirectory: join(folder, "cache"), env: process.env });
  const server = driver.servePostgres!({ directory: join(folder, "postgres") });
  await server.lease();
  return {
    url: server.url,
    superuser: server.url,
    async close() {
      await server.close();
      await driver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
