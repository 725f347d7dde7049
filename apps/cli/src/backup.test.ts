import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { backup } from "./backup.ts";
import { restore } from "./restore.ts";

let around: string;
beforeAll(() => {
  around = mkdtempSync(join(tmpdir(), "treadle-backup-unit-"));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(around, { recursive: true, force: true });
});

/** A data folder with one project, that is open and was written to just now. */
function dataFolder(path: string, name: string): DatabaseSync {
  mkdirSync(join(path, "projects/p/state/cache/node-gyp"), { recursive: true });
  symlinkSync("/usr/include", join(path, "projects/p/state/cache/node-gyp/include"));
  writeFileSync(join(path, "projects/p/state/owner.json"), "{}");
  writeFileSync(join(path, "treadle.lock"), "");
  const database = new DatabaseSync(join(path, "treadle.sqlite"));
  database.exec("pragma journal_mode = wal; create table projects (name text)");
  database.prepare("insert into projects values (?)").run(name);
  return database;
}

const nameIn = (path: string) => {
  const database = new DatabaseSync(join(path, "treadle.sqlite"), { readOnly: true });
  try {
    return database.prepare("select name from projects").get()?.["name"];
  } finally {
    database.close();
  }
};

it("what was done in folders of one's own is kept as the rest is, and can be restored", async () => {
  const data = join(around, "data");
  const own = "folders/6daf583375e0a778";
  const open = [dataFolder(data, "whole"), dataFolder(join(data, own), "in a folder")];
  mkdirSync(join(data, "folders/half-made"));
  const file = join(around, "all.tar.gz");
  expect(await backup({ file, data })).toBe(0);
  for (const database of open) database.close();
  const back = join(around, "back");
  expect(await restore({ file, data: back })).toBe(0);
  expect([nameIn(back), nameIn(join(back, own))]).toEqual(["whole", "in a folder"]);
  for (const path of ["", own]) {
    expect(existsSync(join(back, path, "projects/p/state/owner.json"))).toBe(true);
    expect(existsSync(join(back, path, "projects/p/state/cache"))).toBe(false);
    expect(existsSync(join(back, path, "treadle.lock"))).toBe(false);
  }
});
