import { toProjectPath } from "@treadle/protocol/project-path";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, SERVER } from "../contract/helpers.test-support.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import type { Workspace, WorkspaceDriver, WorkspaceNotice } from "../types.ts";
import { connectEngine } from "./engine.ts";
import {
  BUILD_MS,
  buildImage,
  createTestDriver,
  ENGINE_SOCKET,
  findEngine,
} from "./engine.test-support.ts";

const missing = await findEngine();

describe.skipIf(missing !== undefined)("the limits of a project in a container", () => {
  if (missing === undefined) ensureGuest();
  const folder = mkdtempSync(join(tmpdir(), "treadle-docker-limits-"));
  let driver: WorkspaceDriver;
  beforeAll(async () => {
    await buildImage(join(folder, "cache"));
    driver = createTestDriver({
      cacheDirectory: join(folder, "cache"),
      env: { TREADLE_MEMORY_MB: "384", TREADLE_DISK_MB: "48", TREADLE_PROCESSES: "100" },
    });
  }, BUILD_MS);
  afterAll(async () => {
    await driver.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const openNew = (name: string): Promise<Workspace> =>
    driver.open({
      project: `${name}-${process.pid}`,
      directory: join(folder, name, "files"),
      stateDirectory: join(folder, name, "state"),
    });

  it("A37 ends a memory hog, and says why in its output", async () => {
    const workspace = await openNew("memory");
    const exit = await workspace.run(
      `node --max-old-space-size=100000 -e 'const all=[];for(;;)all.push(Buffer.alloc(1<<24,1))'`,
    );
    expect(exit.output).toMatch(
      /^treadle: the project needed more than the 384 MB of memory.*TREADLE_MEMORY_MB/m,
    );
    expect((await workspace.run("echo well")).output).toBe("well\n");
    await workspace.stop();
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
      expect(limits).toMatchObject({ memory: 200 * 1024 ** 2, processes: 100 });
      expect(memory).toBeGreaterThan(10e6);
      expect(memory).toBeLessThan(limits.memory);
      expect(processes).toBeGreaterThan(1);
      await own.run(
        `node --max-old-space-size=100000 -e 'const all=[];for(;;)all.push(Buffer.alloc(1<<24,1))'`,
      );
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

  it.each([
    [
      "many files",
      "for i in $(seq 1000); do head -c 2097152 /dev/zero > fill-$i || exit; sleep 0.05; done",
    ],
    [
      "files without a name",
      `node -e 'const fs=require("fs");for(let i=0;;i++){const f=fs.openSync("x","w");fs.unlinkSync("x");fs.writeSync(f,Buffer.alloc(1<<21,1));Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,50)}'`,
    ],
  ])(
    "A37 ends a program that fills the disk with %s, reports it, and keeps existing files",
    async (name, command) => {
      const workspace = await openNew(name.replaceAll(" ", "-"));
      const notices: WorkspaceNotice[] = [];
      workspace.listen((notice) => notices.push(notice));
      await workspace.files.write(toProjectPath("mine.txt"), "kept");
      const exit = await workspace.run(command);
      expect(exit).toMatchObject({ kind: "exited", code: 137 });
      expect(exit.output).toMatch(
        /^treadle: the project takes \d+ MB of the disk and may take 48 MB/m,
      );
      await eventually(() => notices.some(({ type }) => type === "lost"));
      expect((await workspace.run("cat mine.txt; rm -f fill-*")).output).toBe("kept");
      await workspace.stop();
    },
  );

  it(
    "removes an unused image of this installation when a newer one is built",
    async () => {
      const engine = connectEngine(ENGINE_SOCKET);
      const image = async (from: WorkspaceDriver) =>
        (await from.probe()).checks.find(({ name }) => name === "image")!.detail.split(",")[0]!;
      const own = { cacheDirectory: join(folder, "cache-of-another") };
      const base = await image(driver);
      const older = createTestDriver({
        ...own,
        env: { TREADLE_DOCKER_BASE: base, TREADLE_DOCKER_BUILD_NETWORK: "none" },
      });
      await older.prepareTemplates();
      const first = await image(older);
      const [repo, tag] = [base.slice(0, base.indexOf(":")), `again-${process.pid}`];
      const alias = `${repo}:${tag}`;
      await engine.getImage(base).tag({ repo, tag });
      const newer = createTestDriver({
        ...own,
        env: { TREADLE_DOCKER_BASE: alias, TREADLE_DOCKER_BUILD_NETWORK: "none" },
      });
      await newer.prepareTemplates();
      await expect(engine.getImage(first).inspect()).rejects.toMatchObject({ statusCode: 404 });
      // Another installation's image stays.
      expect(await engine.getImage(base).inspect()).toMatchObject({});
      for (const name of [await image(newer), alias]) await engine.getImage(name).remove();
    },
    BUILD_MS,
  );
});
