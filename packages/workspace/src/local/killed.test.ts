/**
 * `kill -9` of the server, the guest or bubblewrap: no process survives, no file is half-written,
 * and the next start is clean.
 */
import { toProjectPath } from "@treadle/protocol/project-path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { get, runsOnThisMachine, SERVER } from "../contract/helpers.test-support.ts";
import { startRegistry, type FakeRegistry } from "../attacks/pretended-registry.ts";
import type { Workspace, WorkspaceDriver } from "../types.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { createLocalDriver } from "./driver.ts";

ensureGuest();
/** Each test starts several sandboxes and servers in turn, possibly on a busy machine. */
vi.setConfig({ testTimeout: 150_000 });

let folder: string;
let registry: FakeRegistry;
let driver: WorkspaceDriver;
const cache = () => join(folder, "cache");
const env = () => ({ PATH: process.env.PATH, HOME: folder, npm_config_registry: registry.url });
const place = (name: string) => ({
  project: `${name}-${process.pid}`,
  directory: join(folder, name, "files"),
  stateDirectory: join(folder, name, "state"),
});
/** Arguments that identify the sleeping processes of these tests. */
const sleeper = (offset: number) => 4_000_000 + offset * 1_000_000 + process.pid;
const MANIFEST = JSON.stringify({ name: "app", dependencies: { one: "1.0.0" } });
const A = "a".repeat(300_000);
const B = "b".repeat(400_000);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-killed-"));
  chmodSync(folder, 0o755);
  registry = await startRegistry([
    { name: "one", version: "1.0.0", files: { "index.js": 'module.exports = "one";\n' } },
  ]);
  driver = createLocalDriver({ cacheDirectory: cache(), env: env() });
});
afterAll(async () => {
  await driver.close();
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Part {
  pid: number;
  words: string[];
}

/** Processes of one project's sandbox, outermost first, identified by the project's key. */
function sandboxOf(stateDirectory: string): Part[] {
  const key = readFileSync(join(stateDirectory, "secret-key"), "utf8");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/cmdline`, "utf8");
        return text.includes(key) ? [{ pid: Number(name), words: text.split("\0") }] : [];
      } catch {
        return [];
      }
    })
    .sort((one, other) => one.pid - other.pid);
}
const guestOf = (stateDirectory: string) =>
  sandboxOf(stateDirectory).find(({ words }) => words[0]?.endsWith("/node"));
const bubblewrapsOf = (stateDirectory: string) =>
  sandboxOf(stateDirectory).filter(({ words }) => words[0] === "bwrap");

const text = async (workspace: Workspace, path: string) =>
  Buffer.from((await workspace.files.read(toProjectPath(path))).bytes).toString();

describe.concurrent("kill -9 of a part of the sandbox", () => {
  const parts: [string, (state: string) => Part | undefined][] = [
    ["the guest", guestOf],
    ["bubblewrap, the outer one", (state) => bubblewrapsOf(state)[0]],
    ["bubblewrap, the first process inside", (state) => bubblewrapsOf(state)[1]],
  ];
  it.for(parts)(
    "F7 F8 of %s: ends all of it, leaves files whole, and serves the next call",
    async ([name, find], { expect }) => {
      const at = place(`part-${parts.findIndex(([one]) => one === name)}`);
      const seconds = sleeper(parts.findIndex(([one]) => one === name));
      const workspace = await driver.open(at);
      const lost = new Promise<void>((resolve) => {
        workspace.listen((notice) => notice.type === "lost" && resolve());
      });
      await workspace.files.write(toProjectPath("package.json"), MANIFEST);
      await workspace.run("npm install");
      await workspace.files.write(toProjectPath("big"), A);
      expect(await workspace.start(SERVER(4301))).toMatchObject({ state: "up" });
      const running = workspace.run(`setsid sleep ${seconds} & sleep ${seconds}`);
      await expect.poll(() => runsOnThisMachine(`sleep\0${seconds}\0`)).toBe(true);
      const before = sandboxOf(at.stateDirectory).map(({ pid }) => pid);
      const writing = workspace.files.write(toProjectPath("big"), B).catch(() => undefined);
      process.kill(find(at.stateDirectory)!.pid, "SIGKILL");
      await lost;
      await writing;
      expect((await running.catch(() => ({ kind: "gone" }))).kind).not.toBe("adopted");
      await expect.poll(() => runsOnThisMachine(`sleep\0${seconds}\0`)).toBe(false);
      await expect
        .poll(() => sandboxOf(at.stateDirectory).filter(({ pid }) => before.includes(pid)))
        .toEqual([]);
      expect(workspace.server).toMatchObject({ state: "stopped", ports: [] });
      // The next call opens a new sandbox, with its dependencies and a free port.
      expect([A, B]).toContain(await text(workspace, "big"));
      expect((await workspace.files.list()).files.map(({ path }) => path)).toEqual([
        "big",
        "package-lock.json",
        "package.json",
      ]);
      expect((await workspace.run(`node -p 'require("one")'`)).output).toBe("one\n");
      expect(await workspace.start(SERVER(4301, "again"))).toMatchObject({ state: "up" });
      expect(await get(workspace, 4301)).toContain("again");
      await workspace.stop();
      await expect.poll(() => sandboxOf(at.stateDirectory)).toEqual([]);
    },
  );
});

describe.concurrent("calls during the end of their sandbox", () => {
  it("F7 are served by the next sandbox if they were made as it died", async () => {
    const at = place("as-it-dies");
    const workspace = await driver.open(at);
    await workspace.files.write(toProjectPath("a"), A);
    for (let times = 0; times < 3; times++) {
      process.kill(guestOf(at.stateDirectory)!.pid, "SIGKILL");
      const [listed, read, revision, ran] = await Promise.all([
        workspace.files.list(),
        text(workspace, "a"),
        workspace.revision(),
        workspace.run("echo here"),
      ]);
      expect(listed.files.map(({ path }) => path)).toEqual(["a"]);
      expect(read).toBe(A);
      expect(revision).toMatch(/^\w+$/);
      expect(ran).toMatchObject({ kind: "exited", code: 0, output: "here\n" });
    }
    await workspace.stop();
  });

  it("F7 a connection is refused once the loss was reported: another attempt reaches the next sandbox", async () => {
    const at = place("connecting");
    const workspace = await driver.open(at);
    await workspace.start(SERVER(4304));
    let lost = 0;
    workspace.listen((notice) => notice.type === "lost" && lost++);
    process.kill(guestOf(at.stateDirectory)!.pid, "SIGKILL");
    await expect(workspace.connect(4304)).rejects.toMatchObject({ code: "sandbox" });
    expect(lost).toBe(1);
    expect(await workspace.start(SERVER(4304, "again"))).toMatchObject({ state: "up" });
    expect(await get(workspace, 4304)).toContain("again");
    await workspace.stop();
  });

  it("A98 are served by the next sandbox if their guest was stopped, long before it counts as hung", async () => {
    const at = place("stopped");
    const workspace = await driver.open(at);
    await workspace.files.write(toProjectPath("a"), A);
    process.kill(guestOf(at.stateDirectory)!.pid, "SIGSTOP");
    expect(await text(workspace, "a")).toBe(A);
    expect((await workspace.run("echo here")).output).toBe("here\n");
    await workspace.stop();
  });
});

describe("kill -9 of the server", () => {
  it("F7 F8 while it serves, writes and prepares: no process survives, nothing is half-written, the next one starts clean", async () => {
    const at = place("server");
    const ownCache = join(folder, "cache-killed");
    const seconds = sleeper(9);
    const script = join(folder, "server.mjs");
    const driverFile = fileURLToPath(new URL("./driver.ts", import.meta.url));
    writeFileSync(
      script,
      `import { createLocalDriver } from ${JSON.stringify(driverFile)};
const driver = createLocalDriver({ cacheDirectory: ${JSON.stringify(ownCache)}, env: ${JSON.stringify(env())} });
const workspace = await driver.open(${JSON.stringify(at)});
await workspace.files.write("big", ${JSON.stringify(A)});
await workspace.start(${JSON.stringify(SERVER(4302))});
const terminal = await workspace.terminal({ columns: 80, rows: 24 });
terminal.write("sleep ${seconds}\\n");
workspace.run("setsid sleep ${seconds} & echo started; sleep ${seconds}", { onOutput: () => process.stdout.write("ready\\n") });
await workspace.files.write("package.json", ${JSON.stringify(MANIFEST)});
void workspace.run("npm install").catch(() => undefined);
for (;;) for (const content of [${JSON.stringify(A)}, ${JSON.stringify(B)}]) await workspace.files.write("big", content);
`,
    );
    const { asked } = registry.hang();
    const child = spawn(process.execPath, ["--conditions=treadle-source", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    await once(child.stdout, "data");
    await asked;
    await expect.poll(() => runsOnThisMachine(`sleep\0${seconds}\0`)).toBe(true);
    const preparing = () =>
      existsSync(join(ownCache, "preparing")) ? readdirSync(join(ownCache, "preparing")) : [];
    const sandboxes = preparing()
      .filter((name) => name.startsWith("sandbox-"))
      .map((name) => join(ownCache, "preparing", name, "state"));
    expect(sandboxes).toHaveLength(1);
    const states = [at.stateDirectory, ...sandboxes];
    for (const state of states) expect(sandboxOf(state).length).toBeGreaterThan(0);

    child.kill("SIGKILL");
    await exited;
    registry.answers();
    await expect.poll(() => runsOnThisMachine(`sleep\0${seconds}\0`)).toBe(false);
    for (const state of states) await expect.poll(() => sandboxOf(state)).toEqual([]);
    expect([A, B]).toContain(readFileSync(join(at.directory, "big"), "utf8"));

    const next = createLocalDriver({ cacheDirectory: ownCache, env: env() });
    const left = [...preparing(), ...readdirSync(tmpdir())].filter((name) =>
      name.includes(`-${child.pid}`),
    );
    expect(
      left.filter((name) => name.startsWith("sandbox-") || name.startsWith("treadle-")),
    ).toEqual([]);
    const workspace = await next.open(at);
    expect([A, B]).toContain(await text(workspace, "big"));
    const { files } = await workspace.files.list();
    expect(files.map(({ path }) => path)).toEqual(["big", "package.json"]);
    // The lock that it held during the preparation does not block anyone.
    expect((await workspace.run("npm install")).output).toContain("added 1 package");
    expect((await workspace.run(`node -p 'require("one")'`)).output).toBe("one\n");
    expect(await workspace.start(SERVER(4302, "again"))).toMatchObject({ state: "up" });
    await next.close();
  });

  it("F8 unfinished trees of the killed server are swept, and those of another server stay", async () => {
    const own = join(folder, "cache-swept");
    const dead = spawn("true");
    await once(dead, "exit");
    const folders = (pid: number | undefined) => [
      `trees/.building-abc-${pid}`,
      `trees/.removing-abc-${pid}`,
      `preparing/sandbox-abc-${pid}`,
    ];
    for (const name of [...folders(dead.pid), ...folders(process.pid)])
      mkdirSync(join(own, name, "node_modules/one"), { recursive: true });
    // A tree with its name but incomplete: it was never renamed into place, or was being removed.
    mkdirSync(join(own, "trees/half/node_modules"), { recursive: true });
    const next = createLocalDriver({ cacheDirectory: own, env: env() });
    expect(folders(dead.pid).filter((name) => existsSync(join(own, name)))).toEqual([]);
    expect(folders(process.pid).filter((name) => !existsSync(join(own, name)))).toEqual([]);
    const { checks } = await next.probe();
    expect(checks.find(({ name }) => name === "dependencies")?.detail).toContain("0 prepared");
    await next.close();
  });
});

describe("a stopped workspace", () => {
  it("holds no process, whatever it ran, and opens again with its files and dependencies", async () => {
    const at = place("idle");
    const seconds = sleeper(10);
    const workspace = await driver.open(at);
    await workspace.files.write(toProjectPath("package.json"), MANIFEST);
    await workspace.run("npm install");
    await workspace.start(SERVER(4303));
    const terminal = await workspace.terminal({ columns: 80, rows: 24 });
    terminal.write(`sleep ${seconds}\n`);
    await workspace.run(`(setsid sleep ${seconds} &); true`);
    await expect.poll(() => runsOnThisMachine(`sleep\0${seconds}\0`)).toBe(true);
    await workspace.stop();
    await expect.poll(() => sandboxOf(at.stateDirectory)).toEqual([]);
    await expect.poll(() => runsOnThisMachine(`sleep\0${seconds}\0`)).toBe(false);
    const again = await driver.open(at);
    expect((await again.run(`node -p 'require("one")'`)).output).toBe("one\n");
    expect(await again.start(SERVER(4303))).toMatchObject({ state: "up", ports: [4303] });
    await again.stop();
  });
});
