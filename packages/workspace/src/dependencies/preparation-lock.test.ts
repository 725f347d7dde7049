import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withLock } from "./preparation-lock.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "treadle-lock-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("of two that want the same, one does it and the other waits and finds it done", async () => {
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

it("one that was left by a process that is gone is overtaken", async () => {
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

it("one that nobody touched for a while is overtaken, whoever has that number now", async () => {
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

it("is given back when what is done fails", async () => {
  const file = join(folder, "four.lock");
  const failing = withLock(
    file,
    () => false,
    () => Promise.reject(new Error("no")),
  );
  await expect(failing).rejects.toThrow("no");
  expect(existsSync(file)).toBe(false);
});
