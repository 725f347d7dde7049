import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import type { WorkspaceDriver } from "../types.ts";
import { connectEngine } from "./engine.ts";
import {
  BUILD_MS,
  buildImage,
  createTestDriver,
  ENGINE_SOCKET,
  findEngine,
} from "./engine.test-support.ts";

const missing = await findEngine();

describe.skipIf(missing !== undefined)("the image without access to a registry", () => {
  if (missing === undefined) ensureGuest();
  const folder = mkdtempSync(join(tmpdir(), "treadle-image-"));
  beforeAll(() => buildImage(join(folder, "cache")), BUILD_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const openOn = (driver: WorkspaceDriver, project: string) =>
    driver.open({
      project: `${project}-${process.pid}`,
      directory: join(folder, project, "files"),
      stateDirectory: join(folder, project, "state"),
    });
  const imageOf = async (driver: WorkspaceDriver) =>
    (await driver.probe()).checks.find(({ name }) => name === "image")!.detail.split(",")[0]!;

  it(
    "names a base that cannot be downloaded, with the alternatives, and runs nothing",
    { timeout: BUILD_MS },
    async () => {
      const base = "127.0.0.1:9/no/such:base";
      const driver = createTestDriver({
        cacheDirectory: join(folder, "cache-1"),
        env: { TREADLE_DOCKER_BASE: base },
      });
      const image = await imageOf(driver);
      const error = await openOn(driver, "unreachable")
        .then((workspace) => workspace.run("echo ran"))
        .catch((thrown: unknown) => thrown as Error);
      expect(error).toMatchObject({ code: "sandbox" });
      const { message } = error as Error;
      for (const words of ["could not be built", base, "TREADLE_DOCKER_BASE", image, "docker load"])
        expect(message).toContain(words);
      await driver.close();
    },
  );

  it(
    "builds without network on a base that has every program",
    async () => {
      const ready = await imageOf(createTestDriver({ cacheDirectory: join(folder, "cache") }));
      const driver = createTestDriver({
        cacheDirectory: join(folder, "cache-2"),
        env: { TREADLE_DOCKER_BASE: ready, TREADLE_DOCKER_BUILD_NETWORK: "none" },
      });
      const image = await imageOf(driver);
      expect(image).not.toBe(ready);
      const workspace = await openOn(driver, "offline");
      const { output } = await workspace.run("rg --version | head -n 1; node -p 1+1");
      expect(output).toMatch(/^ripgrep [^]*\n2\n$/);
      await driver.close();
      await connectEngine(ENGINE_SOCKET).getImage(image).remove();
    },
    BUILD_MS,
  );
});
