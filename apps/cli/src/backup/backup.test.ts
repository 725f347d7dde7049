import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
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

/** A data folder in use, with one project and a published app that was just written to. */
function dataFolder(path: string, name: string): DatabaseSync {
  for (const place of ["projects/p", "projects/p/releases/1"]) {
    mkdirSync(join(path, place, "state/cache/node-gyp"), { recursive: true });
    symlinkSync("/usr/include", join(path, place, "state/cache/node-gyp/include"));
    // Copies in which a check runs, or a build is tried, while the backup is made.
    for (const copy of ["copy-a1", "prove-b2"])
      mkdirSync(join(path, place, "state", copy, "work/work"), { recursive: true });
    writeFileSync(join(path, place, "state/owner.json"), "{}");
    mkdirSync(join(path, place, "files/node_modules/.bin"), { recursive: true });
    symlinkSync("../vite/bin/vite.js", join(path, place, "files/node_modules/.bin/vite"));
  }
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

it("includes work in personal folders and published apps, and can be restored", async () => {
  const data = join(around, "data");
  const own = "folders/6daf583375e0a778";
  const databases = [dataFolder(data, "whole"), dataFolder(join(data, own), "in a folder")];
  mkdirSync(join(data, "folders/half-made"));
  const file = join(around, "all.tar.gz");
  expect(await backup({ file, data })).toBe(0);
  for (const database of databases) database.close();
  const back = join(around, "the way back");
  expect(await restore({ file, data: back })).toBe(0);
  // The printed command can be typed.
  expect(vi.mocked(process.stdout.write).mock.lastCall?.[0]).toContain(
    `treadle serve --data '${back}'`,
  );
  expect([nameIn(back), nameIn(join(back, own))]).toEqual(["whole", "in a folder"]);
  for (const path of ["", own]) {
    for (const place of ["projects/p", "projects/p/releases/1"]) {
      expect(existsSync(join(back, path, place, "state/owner.json"))).toBe(true);
      expect(readdirSync(join(back, path, place, "state"))).toEqual(["owner.json"]);
      expect(readdirSync(join(back, path, place, "files/node_modules/.bin"))).toEqual(["vite"]);
    }
    expect(existsSync(join(back, path, "treadle.lock"))).toBe(false);
  }
});

/** Keeps writing related rows until it is ended, as an app does. */
const WRITER = `
  const { workerData, parentPort } = require("node:worker_threads");
  const { DatabaseSync } = require("node:sqlite");
  const open = workerData.map(([file, mode]) => {
    const database = new DatabaseSync(file, { timeout: 5000 });
    database.exec("pragma journal_mode = " + mode + "; create table a (n integer, filled text); create table b (n integer)");
    return database;
  });
  let n = 0;
  const write = () => {
    n++;
    for (const database of open) {
      database.exec("begin immediate");
      database.prepare("insert into a values (?, ?)").run(n, "x".repeat(20000));
      database.prepare("insert into b values (?)").run(n);
      database.exec("commit");
      if (n % 7 === 0) database.exec("pragma wal_checkpoint(truncate)");
    }
    if (n === 200) parentPort.postMessage("filled");
    // Bursts, as when somebody saves a form with many rows.
    setTimeout(write, n > 200 && n % 50 === 0 ? 200 : 0);
  };
  write();
`;

it("saves a database in a consistent state while an app writes to it, whatever its name and path", async () => {
  const data = join(around, "busy");
  dataFolder(data, "busy").close();
  const paths = [
    "projects/p/files/rows.sqlite",
    "projects/p/files/dist/[a] *.db",
    "projects/p/releases/2/files/data/rows.db",
  ];
  for (const path of ["files/dist", "files/node_modules", "releases/2/files/data"])
    mkdirSync(join(data, "projects/p", path), { recursive: true });
  writeFileSync(
    join(data, "projects/p/files/dist/a b.db"),
    "beside one that is called as a pattern",
  );
  writeFileSync(join(data, "projects/p/files/node_modules/kept.db"), "of a package");
  symlinkSync("/etc/hostname", join(data, "projects/p/files/link.db"));
  const modes = ["wal", "delete", "wal"];
  const workerData = paths.map((path, index) => [join(data, path), modes[index]]);
  const writer = new Worker(WRITER, { eval: true, workerData });
  const file = join(around, "busy.tar.gz");
  try {
    await new Promise((resolve, reject) => {
      writer.once("message", resolve);
      writer.once("error", reject);
    });
    expect(await backup({ file, data })).toBe(0);
  } finally {
    await writer.terminate();
  }
  const back = join(around, "busy-back");
  expect(await restore({ file, data: back })).toBe(0);
  for (const path of paths) {
    const database = new DatabaseSync(join(back, path));
    expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    const countRows = (table: string) =>
      database.prepare(`select count(*) as rows, max(n) as last from ${table}`).get();
    expect(countRows("a")).toEqual(countRows("b"));
    expect(countRows("a")!["rows"]).toBeGreaterThanOrEqual(199);
    database.close();
  }
  const readCopy = (path: string) => readFileSync(join(back, "projects/p/files", path), "utf8");
  expect(readCopy("dist/a b.db")).toContain("beside one");
  expect(readCopy("node_modules/kept.db")).toBe("of a package");
  expect(lstatSync(join(back, "projects/p/files/link.db")).isSymbolicLink()).toBe(true);
  expect(readdirSync(around).filter((name) => name.startsWith("."))).toEqual([]);
});

it("saves a database as found if it is written to constantly, and names it", async () => {
  const data = join(around, "never-still");
  dataFolder(data, "never still").close();
  const path = "projects/p/files/rows.db";
  mkdirSync(join(data, "projects/p/files"), { recursive: true });
  writeFileSync(join(data, path), "x");
  // It is written to during every copy, however busy the machine is.
  const handle = await open(join(data, path));
  const kind = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const read = kind.createReadStream;
  const reads = vi.spyOn(kind, "createReadStream").mockImplementation(function (
    this: typeof handle,
    ...given
  ) {
    appendFileSync(join(data, path), "x");
    return read.apply(this, given);
  });
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const file = join(around, "never-still.tar.gz");
  try {
    expect(await backup({ file, data })).toBe(0);
    expect(reads.mock.calls.length).toBeGreaterThan(1);
  } finally {
    reads.mockRestore();
  }
  expect(stderr.mock.calls.map(([text]) => text)).toEqual([
    expect.stringContaining(`${path} was written to all the while`),
  ]);
  expect(await restore({ file, data: join(around, "never-still-back") })).toBe(0);
  expect(existsSync(join(around, "never-still-back", path))).toBe(true);
});

it("resumes a paused PostgreSQL server, and leaves nothing behind, when it is stopped", async () => {
  const data = join(around, "stopped");
  dataFolder(data, "stopped").close();
  const main = join(data, "postgres/server/main");
  mkdirSync(main, { recursive: true });
  // Stands for the server: it holds the lock, and works in the folder of the data.
  const server = spawn("flock", [join(data, "postgres/server/lock"), "sleep", "1000"], {
    cwd: main,
    stdio: "ignore",
  });
  const programs = join(around, "programs");
  mkdirSync(programs);
  const started = join(around, "copying");
  writeFileSync(join(programs, "cp"), `#!/bin/sh\n: > ${started}\nexec sleep 1000\n`, {
    mode: 0o755,
  });
  vi.stubEnv("PATH", `${programs}:${process.env.PATH}`);
  const stateOf = () =>
    /^State:\s+(\S)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1];
  const to = join(around, "stopped-backup");
  mkdirSync(to);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    await expect.poll(stateOf).toBe("S");
    const status = backup({ file: join(to, "all.tar.gz"), data });
    await expect.poll(() => existsSync(started)).toBe(true);
    expect(stateOf()).toBe("T");
    process.emit("SIGHUP", "SIGHUP");
    expect(await status).toBe(128 + 1);
    expect(stateOf()).toBe("S");
    expect(readdirSync(to)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    server.kill("SIGKILL");
  }
});
