import { toProjectPath } from "@treadle/protocol/project-path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownRepositoryWorks } from "../contract/own-repository.test-support.ts";
import { eventually, runsOnThisMachine } from "../contract/helpers.test-support.ts";
import { GIT_LATE } from "../checkpoints/git-limit.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { readLimits } from "../limits/limits.ts";
import type { WorkspaceNotice } from "../types.ts";
import { connectEngine } from "./engine.ts";
import {
  BUILD_MS,
  buildImage,
  createTestDriver,
  ENGINE_SOCKET,
  findEngine,
} from "./engine.test-support.ts";
import { createGitContainer } from "../containers/git-container.ts";
import { createDockerContainers } from "./docker-containers.ts";
import { OWNER_LABEL } from "./sweep.ts";

const missing = await findEngine();

describe.skipIf(missing !== undefined)("containers and their engine", () => {
  if (missing === undefined) ensureGuest();
  const folder = mkdtempSync(join(tmpdir(), "treadle-docker-life-"));
  beforeAll(() => buildImage(join(folder, "cache")), BUILD_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const engine = connectEngine(ENGINE_SOCKET);
  const ours = async () => {
    const all = await engine.listContainers({ all: true, filters: { label: [OWNER_LABEL] } });
    const mounted = all.filter(({ Mounts }) =>
      Mounts.some(({ Source }) => Source.startsWith(folder)),
    );
    return mounted.map(({ Id }) => Id);
  };
  const place = (name: string) => ({
    project: `${name}-${process.pid}`,
    directory: join(folder, name, "files"),
    stateDirectory: join(folder, name, "state"),
  });

  it("F27 reports an engine that dies, ends what ran, and uses it again when it is back", async () => {
    const socketPath = join(folder, "engine.sock");
    let stand = await standIn(socketPath);
    const driver = createTestDriver({ cacheDirectory: join(folder, "cache-1"), socketPath });
    const workspace = await driver.open(place("lost"));
    const notices: WorkspaceNotice[] = [];
    workspace.listen((notice) => notices.push(notice));
    await workspace.files.write(toProjectPath("kept"), "here");
    const seconds = 2_000_000 + process.pid;
    const began = Promise.withResolvers<void>();
    const running = workspace.run(`echo there; sleep ${seconds}; true`, {
      onOutput: () => began.resolve(),
    });
    // Before the loss is reported, the command would be refused.
    await began.promise;
    await eventually(() => runsOnThisMachine(`sleep\0${seconds}\0`));

    await stand.die();
    await eventually(() => notices.some(({ type }) => type === "lost"));
    expect(await running).toMatchObject({ kind: "exited", code: 137 });
    await expect(workspace.run("echo on the host")).rejects.toMatchObject({
      code: "sandbox",
      message: expect.stringContaining("Docker does not answer") as string,
    });
    await expect(workspace.prove("echo on the host")).rejects.toMatchObject({ code: "sandbox" });
    await eventually(() => !runsOnThisMachine(`sleep\0${seconds}\0`));

    stand = await standIn(socketPath);
    expect(Buffer.from((await workspace.files.read(toProjectPath("kept"))).bytes).toString()).toBe(
      "here",
    );
    await driver.close();
    await stand.die();
    await eventually(async () => (await ours()).length === 0);
  });

  it("F8 a killed server leaves no container, and the next one starts clean", async () => {
    const script = join(folder, "server.mjs");
    const file = (name: string) =>
      JSON.stringify(fileURLToPath(new URL(`./${name}`, import.meta.url)));
    const seconds = 3_000_000 + process.pid;
    writeFileSync(
      script,
      `import { createTestDriver } from ${file("engine.test-support.ts")};
const driver = createTestDriver({ cacheDirectory: ${JSON.stringify(join(folder, "cache-2"))} });
const workspace = await driver.open(${JSON.stringify(place("killed"))});
await workspace.files.write("a", "kept");
workspace.run("setsid sleep ${seconds} & echo started; sleep ${seconds}; true", { onOutput: () => process.stdout.write("ready\\n") });
`,
    );
    const child = spawn(process.execPath, ["--conditions=treadle-source", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    expect((await ours()).length).toBe(1);
    child.kill("SIGKILL");
    await eventually(() => !runsOnThisMachine(`sleep\0${seconds}\0`));
    await eventually(async () => (await ours()).length === 0);
    const driver = createTestDriver({ cacheDirectory: join(folder, "cache-2") });
    const again = await driver.open(place("killed"));
    expect(Buffer.from((await again.files.read(toProjectPath("a"))).bytes).toString()).toBe("kept");
    await driver.close();
    expect(readFileSync(join(folder, "killed/files/a"), "utf8")).toBe("kept");
  });

  it("F8 a proof ends with its killed server, even if its code stops and ends what it can", async () => {
    const script = join(folder, "prover.mjs");
    const file = (name: string) =>
      JSON.stringify(fileURLToPath(new URL(`./${name}`, import.meta.url)));
    const seconds = 4_000_000 + process.pid;
    writeFileSync(
      script,
      `import { createTestDriver } from ${file("engine.test-support.ts")};
const driver = createTestDriver({ cacheDirectory: ${JSON.stringify(join(folder, "cache-5"))} });
const workspace = await driver.open(${JSON.stringify(place("proving"))});
workspace.prove("setsid sleep ${seconds} & kill -STOP 1; kill -KILL 1; echo started; sleep ${seconds}; true", { onOutput: () => process.stdout.write("ready\\n") });
`,
    );
    const child = spawn(process.execPath, ["--conditions=treadle-source", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    expect((await ours()).length).toBe(2);
    child.kill("SIGKILL");
    await eventually(() => !runsOnThisMachine(`sleep\0${seconds}\0`));
    await eventually(async () => (await ours()).length === 0);
  });

  it.each(["STOP", "TSTP", "TTIN", "TTOU"])(
    "F8 a guest continues after SIG%s from generated code, and so ends with its server",
    async (signal) => {
      const script = join(folder, `stopper-${signal}.mjs`);
      const file = (name: string) =>
        JSON.stringify(fileURLToPath(new URL(`./${name}`, import.meta.url)));
      const seconds = 5_000_000 + process.pid;
      const stopGuest = `for p in /proc/[0-9]*; do grep -qs '[o]ver-stdio' $p/cmdline && kill -${signal} \${p#/proc/}; done; echo done > /home/project/tried; sleep ${seconds}; true`;
      writeFileSync(
        script,
        `import { createTestDriver } from ${file("engine.test-support.ts")};
const driver = createTestDriver({ cacheDirectory: ${JSON.stringify(join(folder, "cache-7"))} });
const workspace = await driver.open(${JSON.stringify(place(`stopping-${signal}`))});
await workspace.files.write("a", "kept");
workspace.run(${JSON.stringify(stopGuest)});
`,
      );
      const child = spawn(process.execPath, ["--conditions=treadle-source", script], {
        stdio: ["ignore", "inherit", "inherit"],
      });
      await eventually(() => existsSync(join(folder, `stopping-${signal}/files/tried`)));
      child.kill("SIGKILL");
      await eventually(async () => (await ours()).length === 0);
    },
  );

  it("A72 ends a git that hangs, and its container", async () => {
    const driver = createTestDriver({ cacheDirectory: join(folder, "cache-6") });
    const workspace = await driver.open(place("late"));
    const [own] = await ours();
    const { Image, Config } = await engine.getContainer(own!).inspect();
    const [uid, gid] = Config.User.split(":").map(Number);
    const { directory, stateDirectory } = place("late");
    const containers = createDockerContainers(engine, {
      image: () => Promise.resolve(Image),
      labels: Config.Labels,
    });
    const run = createGitContainer(containers, {
      directory,
      gitDirectory: join(stateDirectory, "checkpoints.git"),
      container: {
        project: "late",
        user: { uid: uid!, gid: gid! },
        limits: readLimits({}),
      },
      ms: 3_000,
    });
    expect(await run("cat", "given")).toMatchObject({ code: 0, output: Buffer.from("given") });
    expect(await run("mkfifo /tmp/pipe; cat /tmp/pipe", "")).toMatchObject({
      code: 137,
      complaint: GIT_LATE,
    });
    await eventually(async () => (await ours()).length === 1);
    await workspace.stop();
    await driver.close();
  });

  it("A52 closes what an install left open to others in a personal folder when it is released", async () => {
    const driver = createTestDriver({ cacheDirectory: join(folder, "cache-4") });
    const own = place("handed");
    mkdirSync(own.directory, { recursive: true });
    const { uid } = lstatSync(own.directory);
    const workspace = await driver.open({ ...own, handBack: true });
    await workspace.run(
      "mkdir -p node_modules/a; cp /usr/bin/id node_modules/a/id; ln -s /etc/passwd node_modules/out; chmod -R 2777 node_modules; chmod -R 777 node_modules; echo x > mine; chmod 600 mine",
    );
    const open = lstatSync(join(own.directory, "node_modules/a/id"));
    expect(open.mode & 0o7777).toBe(0o777);
    await workspace.stop();
    for (const name of ["node_modules", "node_modules/a", "node_modules/a/id"])
      expect([name, lstatSync(join(own.directory, name)).mode & 0o6022]).toEqual([name, 0]);
    const ownStats = lstatSync(join(own.directory, "mine"));
    expect([ownStats.mode & 0o777, ownStats.uid]).toEqual([0o600, uid]);
    await driver.close();
  });

  describe("the person's own repository", () => {
    const driver = createTestDriver({ cacheDirectory: join(folder, "cache-5") });
    afterAll(() => driver.close());
    ownRepositoryWorks((name) => {
      const own = place(name);
      mkdirSync(own.directory, { recursive: true });
      return { ...own, open: () => driver.open({ ...own, handBack: true }) };
    });
  });

  it("removes, at the next start, a container that a killed server left nevertheless", async () => {
    const cacheDirectory = join(folder, "cache-3");
    const driver = createTestDriver({ cacheDirectory });
    await driver.open(place("first"));
    const [own] = await ours();
    const { Image, Config } = await engine.getContainer(own!).inspect();
    const dead = spawn("true");
    await once(dead, "exit");
    const left = await engine.createContainer({
      Image,
      Labels: { ...Config.Labels, "dev.treadle.server": String(dead.pid) },
      Cmd: ["sleep", "10000"],
      HostConfig: { NetworkMode: "none" },
    });
    await left.start();
    const next = createTestDriver({ cacheDirectory });
    await next.open(place("second"));
    await expect(left.inspect()).rejects.toMatchObject({ statusCode: 404 });
    // The container of a live server stays.
    expect(await ours()).toContain(own);
    await driver.close();
    await next.close();
  });
});

/** A proxy in front of the real engine that can die and come back. */
async function standIn(path: string): Promise<{ die(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const real = connect(ENGINE_SOCKET);
    for (const [from, to] of [
      [socket, real],
      [real, socket],
    ] as const) {
      open.add(from);
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
    }
    socket.pipe(real).pipe(socket);
  });
  rmSync(path, { force: true });
  server.listen(path);
  await once(server, "listening");
  return {
    async die() {
      server.close();
      for (const socket of open) socket.destroy();
      rmSync(path, { force: true });
    },
  };
}
