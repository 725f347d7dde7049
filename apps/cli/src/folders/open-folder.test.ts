import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openFolder } from "./open-folder.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "treadle-home-"));
  vi.stubEnv("HOME", home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

const open = (directory: string, data = join(home, ".treadle")) =>
  openFolder(directory, { data, unsafe: true, onNotice: () => {} });

it("never mounts the whole disk, a home, or a folder with Treadle's keys for generated code", async () => {
  await expect(open("/")).rejects.toThrow("is the whole disk");
  await expect(open(home)).rejects.toThrow("whole home folder");
  const work = join(home, "work");
  mkdirSync(work);
  await expect(open(work, join(work, "data"))).rejects.toThrow("own data");
  await expect(open(join(home, "work"), home)).rejects.toThrow("own data");
  expect(readdirSync(home)).toEqual(["work"]);
  expect(readdirSync(work)).toEqual([]);
});
