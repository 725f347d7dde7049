/** Exceeds each limit of a project for real, and checks the messages for person and model. */
import { toProjectPath } from "@treadle/protocol/project-path";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, get, SERVER } from "../contract/helpers.test-support.ts";
import type { Workspace, WorkspaceDriver, WorkspaceNotice } from "../types.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { controlPlaces } from "../host/control-groups.ts";
import { createLocalDriver } from "./driver.ts";

ensureGuest();

const LIMITS = {
  TREADLE_MEMORY_MB: "384",
  TREADLE_PROCESSES: "80",
  TREADLE_OPEN_FILES: "512",
  TREADLE_DISK_MB: "96",
};
const MEMORY_HOG = `node --max-old-space-size=100000 -e 'const all=[];for(;;)all.push(Buffer.alloc(1<<24,1))'`;
const FORK_BOMB = "bomb() { bomb | bomb & }; bomb; wait; sleep 1";
/** Priority of a project's commands: below the server's own, whatever that is. */
const BELOW = Math.min(19, getPriority() + 10);
const { folders = {} } = controlPlaces() ?? {};
const counted = folders.memory !== undefined && folders.pids !== undefined;

let folder: string;
let driver: WorkspaceDriver;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-limits-"));
  driver = createLocalDriver({
    cacheDirectory: join(folder, "cache"),
    env: { ...process.env, ...LIMITS },
  });
});
afterAll(async () => {
  await driver.close();
  rmSync(folder, { recursive: true, force: true });
});

const openIn = (from: WorkspaceDriver, name: string) =>
  from.open({
    project: `${name}-${process.pid}`,
    directory: join(folder, name, "files"),
    stateDirectory: join(folder, name, "state"),
  });

async function isWell(workspace: Workspace): Promise<void> {
  await eventually(async () => {
    const exit = await workspace.run("echo well").catch(() => undefined);
    return exit?.output === "well\n";
  });
}

describe.skipIf(!counted)("a project in control groups", () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await openIn(driver, "counted");
  });

  it("A37 ends a memory hog, says why in its output, and keeps the server running", async () => {
    await workspace.start(SERVER(4310));
    const exit = await workspace.run(MEMORY_HOG);
    expect(exit).toMatchObject({ kind: "exited", signal: "SIGKILL" });
    expect(exit.output).toMatch(
      /^treadle: the project needed more than the 384 MB of memory that it may have.*TREADLE_MEMORY_MB/m,
    );
    // The guest is not killed instead.
    expect(await get(workspace, 4310)).toContain("up");
    await workspace.stopServer();
  });

  it("a published app has its own lower limits, reports its usage, and reports when it exceeded one", async () => {
    const own = await driver.open({
      project: `own-${process.pid}`,
      directory: join(folder, "own", "files"),
      stateDirectory: join(folder, "own", "state"),
      isPublished: true,
      // Values above the machine's own limits are not granted.
      limits: { memory: 200 * 1024 ** 2, processes: 100_000 },
    });
    try {
      const notices: WorkspaceNotice[] = [];
      own.listen((notice) => notices.push(notice));
      await own.start(SERVER(4320));
      const { memory = 0, processes = 0, limits } = own.usage!()!;
      expect(limits).toMatchObject({ memory: 200 * 1024 ** 2, processes: 80 });
      expect(memory).toBeGreaterThan(10e6);
      expect(memory).toBeLessThan(limits.memory);
      expect(processes).toBeGreaterThan(1);
      await own.run(MEMORY_HOG);
      await eventually(() => notices.some(({ type }) => type === "limit"));
      expect(notices.find(({ type }) => type === "limit")).toMatchObject({
        limit: "memory",
        words: expect.stringMatching(
          /200 MB of memory.*“limits.memoryMB” in its treadle.json/,
        ) as string,
      });
    } finally {
      await own.stop();
    }
  });

  it("A37 ends many small processes together like a single large one", async () => {
    const small = `node -e 'const all=[];for(let i=0;i<9;i++)all.push(Buffer.alloc(1<<24,1));setTimeout(()=>0,60000)'`;
    const exit = await workspace.run(`for i in 1 2 3 4 5; do ${small} & done; wait -n; kill 0`);
    expect(exit.output).toContain("TREADLE_MEMORY_MB");
    await isWell(workspace);
  });

  it("A37 refuses a fork bomb more processes, and leaves none of it", async () => {
    const exit = await workspace.run(FORK_BOMB, { timeoutMs: 3_000 });
    expect(exit.output).toMatch(
      /^treadle: the project has 80 processes and threads.*TREADLE_PROCESSES/m,
    );
    await isWell(workspace);
    // Killed processes disappear a moment later.
    const left = async () => (await workspace.run("pgrep -c bash; true")).output.trim();
    await expect.poll(left).toBe("1");
  });

  it("A37 a server that needs too much memory says so in its last output", async () => {
    const state = await workspace.start(`echo begins; ${MEMORY_HOG}`);
    expect(state.state).toBe("crashed");
    expect(state.tail).toContain("TREADLE_MEMORY_MB");
  });

  it.skipIf(folders.cpu === undefined)("A37 a cpu hog gets its share and no more", async () => {
    await workspace.stop();
    const slow = createLocalDriver({
      cacheDirectory: join(folder, "cache"),
      env: { ...process.env, TREADLE_CPUS: "0.1" },
    });
    workspace = await openIn(slow, "slow");
    const spin = workspace.run("while :; do :; done & while :; do :; done", { timeoutMs: 60_000 });
    const ownGroups = () =>
      readdirSync(folders.cpu!)
        .filter((name) => name.startsWith(`sandbox-${process.pid}-`))
        .map((name) => readFileSync(join(folders.cpu!, name, "cpu.stat"), "utf8"));
    await eventually(() => ownGroups().some((stat) => /^nr_throttled [1-9]/m.test(stat)));
    // The server does not have to wait for it.
    expect((await workspace.run("echo there; nice")).output).toBe(`there\n${BELOW}\n`);
    await slow.close();
    await spin.catch(() => undefined);
  });
});

describe("a project without control groups", () => {
  let plain: WorkspaceDriver;
  let workspace: Workspace;
  beforeAll(async () => {
    plain = createLocalDriver({
      cacheDirectory: join(folder, "cache"),
      env: { ...process.env, ...LIMITS, TREADLE_MEMORY_MB: "1024", TREADLE_PROCESSES: "60" },
      controlGroups: false,
    });
    workspace = await openIn(plain, "alone");
  });
  afterAll(() => plain.close());

  it("A37 a memory hog fails with its own error", async () => {
    const exit = await workspace.run(MEMORY_HOG);
    expect(exit).toMatchObject({ kind: "exited" });
    expect(exit.kind === "exited" && exit.code).not.toBe(0);
    expect(exit.output).toMatch(/allocat|memory/i);
    await isWell(workspace);
  });

  it("A37 a fork bomb is contained, and leaves no process", async () => {
    const exit = await workspace.run(FORK_BOMB, { timeoutMs: 3_000 });
    expect(exit.output).toMatch(/fork: .*Resource temporarily unavailable/);
    await isWell(workspace);
    // Killed processes disappear a moment later.
    const left = async () => (await workspace.run("pgrep -c bash; true")).output.trim();
    await expect.poll(left).toBe("1");
  });

  it("A37 a cpu hog gets what the server leaves", async () => {
    expect((await workspace.run("nice")).output).toBe(`${BELOW}\n`);
  });

  it("the doctor shows each limit, what enforces it and how to set it", async () => {
    const lines = Object.fromEntries(
      (await plain.probe()).checks.map(({ name, detail }) => [name, detail]),
    );
    expect(lines.memory).toBe(
      "1024 MB for each project, counted for each of its processes alone: no control group can be used (TREADLE_MEMORY_MB)",
    );
    expect(lines.processes).toContain("60 for each project");
    expect(lines.cpu).toContain("TREADLE_CPUS");
    expect(lines["open files"]).toContain("512 for each project");
    expect(lines.disk).toContain("96 MB for each project");
  });
});

describe("open files", () => {
  it("A37 a program that opens too many is refused by the kernel, and others are unaffected", async () => {
    const workspace = await openIn(driver, "descriptors");
    const hog = workspace.run(
      `node -e 'const fs=require("fs");let n=0;try{for(;;n++)fs.openSync("/dev/null")}catch(e){console.log(n,e.code)};setTimeout(()=>0,60000)'`,
    );
    const exit = await workspace.run(
      `node -e 'const fs=require("fs");let n=0;try{for(;;n++)fs.openSync("/dev/null")}catch(e){console.log(n,e.message)}'`,
    );
    expect(exit.output).toMatch(/^(4\d\d|50\d) EMFILE: too many open files/);
    await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        workspace.files.write(toProjectPath(`many/${n}`), String(n)),
      ),
    );
    expect((await workspace.files.list({ under: toProjectPath("many") })).files).toHaveLength(300);
    await workspace.stop();
    await hog.catch(() => undefined);
  });
});

describe("disk", () => {
  let small: WorkspaceDriver;
  beforeAll(() => {
    small = createLocalDriver({
      cacheDirectory: join(folder, "cache"),
      env: { ...process.env, TREADLE_DISK_MB: "32" },
    });
  });
  afterAll(() => small.close());

  async function fill(name: string, command: string) {
    const workspace = await openIn(small, name);
    const notices: WorkspaceNotice[] = [];
    workspace.listen((notice) => notices.push(notice));
    await workspace.files.write(toProjectPath("mine.txt"), "kept");
    const exit = await workspace.run(command);
    return { workspace, exit, notices };
  }

  it("A37 refuses a file larger than the whole project's limit while it is written", async () => {
    const { workspace, exit } = await fill(
      "large",
      "dd if=/dev/zero of=large bs=1M count=100 2>&1; echo $?; stat -c %s large; rm large",
    );
    expect(exit.output).toMatch(/File size limit exceeded|File too large|153/);
    expect(exit.output).toContain(`${32 * 1024 ** 2}\n`);
    const written = workspace.files.writeStream(
      toProjectPath("large"),
      (function* () {
        for (let i = 0; i < 40; i++) yield Buffer.alloc(1 << 20, i);
      })(),
    );
    await expect(written).rejects.toMatchObject({ code: "too-large" });
    expect((await workspace.files.list()).files.map(({ path }) => path)).toEqual(["mine.txt"]);
    await workspace.stop();
  });

  it("A37 ends a program that fills the disk with many files, refuses writes until some are removed, and keeps existing files", async () => {
    const { workspace, exit, notices } = await fill(
      "filler",
      "for i in $(seq 1000); do head -c 2097152 /dev/zero > fill-$i || exit; sleep 0.05; done",
    );
    expect(exit).toMatchObject({ kind: "exited", code: 137 });
    expect(exit.output).toMatch(
      /^treadle: the project takes \d+ MB of the disk and may take 32 MB.*TREADLE_DISK_MB/m,
    );
    await eventually(() => notices.some((notice) => notice.type === "lost"));
    expect(notices.find((notice) => notice.type === "lost")).toMatchObject({
      reason: expect.stringContaining("TREADLE_DISK_MB") as string,
    });
    await expect(workspace.files.write(toProjectPath("more"), "x")).rejects.toMatchObject({
      code: "no-space",
      message: expect.stringContaining("may take 32 MB (TREADLE_DISK_MB)") as string,
    });
    // Files can still be read and removed.
    expect((await workspace.run("cat mine.txt; rm fill-*")).output).toBe("kept");
    await eventually(async () =>
      workspace.files.write(toProjectPath("more"), "x").then(
        () => true,
        () => false,
      ),
    );
    await workspace.stop();
  });

  it("A37 counts empty files by the space that the file system needs for them", async () => {
    const { workspace, exit } = await fill(
      "empty",
      // At full speed it would create a million files before the second measurement, which take a
      // minute to remove.
      `node -e 'const fs=require("fs");for(let i=0;;i++){if(i%500===0){fs.mkdirSync("d"+i/500);Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,200)}fs.closeSync(fs.openSync("d"+Math.floor(i/500)+"/"+i,"w"))}'`,
    );
    expect(exit.output).toContain("TREADLE_DISK_MB");
    await workspace.stop();
    // Concurrent removals by other tests can hide the growth for some seconds.
  }, 180_000);

  it.skipIf(!counted)("A37 counts a deleted file that is still open", async () => {
    const { workspace, exit } = await fill(
      "unnamed",
      `node -e 'const fs=require("fs");for(let i=0;;i++){const f=fs.openSync("x","w");fs.unlinkSync("x");fs.writeSync(f,Buffer.alloc(1<<21,1));Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,50)}'`,
    );
    expect(exit.output).toContain("TREADLE_DISK_MB");
    expect(existsSync(join(folder, "unnamed", "files", "mine.txt"))).toBe(true);
    await workspace.stop();
  });
});
