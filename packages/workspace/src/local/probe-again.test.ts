import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createLocalDriver } from "./driver.ts";

it("probes again how prepared dependencies can be mounted after a disk error", async () => {
  const cacheDirectory = mkdtempSync(join(tmpdir(), "treadle-probe-"));
  const driver = createLocalDriver({ cacheDirectory, env: process.env });
  const trees = join(cacheDirectory, "trees");
  rmSync(trees, { recursive: true });
  writeFileSync(trees, "in the way");
  await expect(driver.probe()).rejects.toThrow("EEXIST");
  rmSync(trees);
  expect((await driver.probe()).checks.length).toBeGreaterThan(0);
  await driver.close();
  rmSync(cacheDirectory, { recursive: true, force: true });
});
