import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocalDriver } from "./driver.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-prepare-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("closing the driver while it prepares templates waits for none of the remaining ones", async () => {
  const driver = createLocalDriver({
    cacheDirectory: folder,
    unsafeNoSandbox: true,
    env: { TREADLE_PREPARE: "react,hono", npm_config_registry: "http://127.0.0.1:1/" },
  });
  const begun: string[] = [];
  let closing: Promise<void> | undefined;
  await driver.prepareTemplates((text) => {
    begun.push(text);
    closing ??= driver.close();
  });
  await closing;
  expect(begun).toHaveLength(1);
});
