import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createTestDriver } from "./engine.test-support.ts";

ensureGuest();

const folder = mkdtempSync(join(tmpdir(), "treadle-no-engine-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("F27 without an engine, reports that, and runs nothing", async () => {
  const driver = createTestDriver({
    cacheDirectory: join(folder, "cache"),
    socketPath: join(folder, "no-engine.sock"),
  });
  const probe = await driver.probe();
  expect(probe.ok).toBe(false);
  expect(probe.checks.find(({ ok }) => !ok)).toMatchObject({
    name: "Docker",
    detail: expect.stringContaining("Docker does not answer") as string,
    mend: expect.stringContaining("start") as string,
  });
  const opening = driver.open({
    project: "none",
    directory: join(folder, "files"),
    stateDirectory: join(folder, "state"),
  });
  await expect(opening).rejects.toMatchObject({
    code: "sandbox",
    message: expect.stringContaining("Docker does not answer") as string,
  });
  expect(existsSync(join(folder, "files"))).toBe(false);
  await driver.close();
});

test("does not contact an engine in advance if nothing is to be prepared", async () => {
  const prepare = (named: string) =>
    createTestDriver({
      cacheDirectory: join(folder, named),
      socketPath: join(folder, "no-engine.sock"),
      env: { ...process.env, TREADLE_PREPARE: named },
    }).prepareTemplates();
  await prepare("none");
  await expect(prepare("react")).rejects.toThrow("Docker does not answer");
});
