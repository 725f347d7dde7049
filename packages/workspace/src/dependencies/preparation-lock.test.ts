import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withLock } from "./preparation-lock.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "treadle-lock-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("lets one of two identical requests do the work, while the other waits and uses the result", async () => {
  const file = join(folder, "one.lock");
  let done = false;
  let times = 0;
  let atOnce = 0;
  const act = async () => {
    expect(++atOnce).toBe(1);
    times++;
    await new Promise((resolve) => setImmediate(resolve));
    done = true;
    atOnce--;
  };
  await Promise.all([1, 2, 3].map(() => withLock(file, () => done, act)));
  expect(times).toBe(1);
  expect(existsSync(file)).toBe(false);
});

it("takes over the lock of a process that is gone", async () => {
  const file = join(folder, "two.lock");
  // Above the kernel's largest pid.
  writeFileSync(file, "4194305");
  let times = 0;
  await withLock(
    file,
    () => false,
    async () => void times++,
  );
  expect(times).toBe(1);
});

it("takes over a lock that was not updated for a while, whoever has that pid now", async () => {
  const file = join(folder, "three.lock");
  writeFileSync(file, String(process.pid));
  utimesSync(file, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  let times = 0;
  await withLock(
    file,
    () => false,
    async () => void times++,
  );
  expect(times).toBe(1);
});

it("releases the lock if the work fails", async () => {
  const file = join(folder, "four.lock");
  const failing = withLock(
    file,
    () => false,
    () => Promise.reject(new Error("no")),
  );
  await expect(failing).rejects.toThrow("no");
  expect(existsSync(file)).toBe(false);
});
