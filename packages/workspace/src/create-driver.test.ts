import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createDriver, driverName } from "./create-driver.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-drivers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("Linux runs projects itself, other systems in Docker, unless a person chose otherwise", () => {
  expect(driverName({}, "linux")).toBe("local");
  expect(driverName({}, "darwin")).toBe("docker");
  expect(driverName({}, "win32")).toBe("docker");
  expect(driverName({ TREADLE_DRIVER: "docker" }, "linux")).toBe("docker");
  expect(driverName({ TREADLE_DRIVER: "" }, "linux")).toBe("local");
});

test("an unknown driver is an error", async () => {
  const options = { cacheDirectory: folder, env: { TREADLE_DRIVER: "dockre" } };
  await expect(createDriver(options)).rejects.toMatchObject({ code: "sandbox" });
});

test("requesting Docker and no sandbox at the same time is refused", async () => {
  const options = { cacheDirectory: folder, env: { TREADLE_DRIVER: "docker" } };
  await expect(createDriver({ ...options, unsafeNoSandbox: true })).rejects.toMatchObject({
    code: "sandbox",
  });
});
