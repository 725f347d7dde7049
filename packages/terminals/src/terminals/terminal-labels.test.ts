import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createTerminalLabels } from "./terminal-labels.ts";

const directory = mkdtempSync(join(tmpdir(), "treadle-labels-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it("stores labels for the next server, including concurrent changes", async () => {
  const file = join(directory, "deep", "labels.json");
  const labels = createTerminalLabels(file);
  await Promise.all([labels.set("1", "dev server"), labels.set("2", "测试"), labels.set("3", "x")]);
  await labels.set("3", "");
  const next = createTerminalLabels(file);
  expect(await next.all()).toEqual({ 1: "dev server", 2: "测试" });
  expect(await next.named("测试", ["1", "2"])).toBe("2");
  expect(await next.named("测试", ["1"])).toBeUndefined();
});

it("a damaged file contains no labels, and is rewritten", async () => {
  const file = join(directory, "damaged.json");
  writeFileSync(file, '{"1": "dev');
  const labels = createTerminalLabels(file);
  expect(await labels.all()).toEqual({});
  await labels.set("1", "dev");
  expect(await labels.all()).toEqual({ 1: "dev" });
});
