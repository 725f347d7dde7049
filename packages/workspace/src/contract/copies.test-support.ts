import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toProjectPath } from "@treadle/protocol/project-path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Workspace, WorkspaceDriver } from "../types.ts";

/** Counts visits in a SQLite database and in a JSON file, and responds with both counts. */
const COUNTER = `
const { DatabaseSync } = require("node:sqlite");
const fs = require("node:fs"), http = require("node:http");
fs.mkdirSync(".data", { recursive: true });
const database = new DatabaseSync(".data/app.db");
database.exec("PRAGMA journal_mode = wal; CREATE TABLE IF NOT EXISTS visit (at INTEGER)");
http.createServer((request, response) => {
  database.exec("INSERT INTO visit VALUES (1)");
  const { rows } = database.prepare("SELECT count(*) AS rows FROM visit").get();
  const visits = fs.existsSync(".data/visits.txt") ? fs.readFileSync(".data/visits.txt", "utf8") : "";
  fs.writeFileSync(".data/visits.txt", visits + "x");
  response.end(rows + " " + (visits.length + 1));
}).listen(3000);
`;

/**
 * The behaviour of copies of a project, whatever creates them.
 * @param createDriver
 * @param createDriver.cacheDirectory a folder of these tests
 */
export function describeCopies(createDriver: (cacheDirectory: string) => WorkspaceDriver): void {
  let folder: string;
  let driver: WorkspaceDriver;
  let opened = 0;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "treadle-copies-"));
    chmodSync(folder, 0o755);
    driver = createDriver(join(folder, "cache"));
  });
  afterAll(async () => {
    await driver.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function openCounter() {
    const name = `copied-${++opened}`;
    const directory = join(folder, name, "files");
    const stateDirectory = join(folder, name, "state");
    const workspace = await driver.open({ project: name, directory, stateDirectory });
    await workspace.files.write(toProjectPath("server.cjs"), COUNTER);
    await workspace.start("node server.cjs");
    expect(workspace.server?.state).toBe("up");
    return { workspace, directory, stateDirectory };
  }

  async function ask(workspace: Workspace): Promise<string> {
    const socket = await workspace.connect(3000);
    socket.end("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let answer = "";
    for await (const piece of socket) answer += String(piece);
    return answer.slice(answer.indexOf("\r\n\r\n") + 4);
  }

  const bytesOf = (directory: string) =>
    Object.fromEntries(
      readdirSync(join(directory, ".data")).map((name) => [
        name,
        readFileSync(join(directory, ".data", name)).toString("base64"),
      ]),
    );

  it("begins with the app's data, and leaves the project's own unchanged, byte for byte", async () => {
    const { workspace, directory, stateDirectory } = await openCounter();
    expect(await ask(workspace)).toMatch(/^\d+ \d+$/);
    const [rows = 0, visits = 0] = (await ask(workspace)).split(" ").map(Number);
    const before = bytesOf(directory);
    for (let look = 0; look < 3; look++) {
      const copy = await workspace.copy!();
      expect(await copy.revision()).toBe(await workspace.revision());
      await copy.start("node server.cjs");
      // Its server received one more request as it came up.
      const [first = 0] = (await ask(copy)).split(" ").map(Number);
      expect(first).toBeGreaterThan(rows);
      expect(first).toBeLessThan(rows + 4);
      await ask(copy);
      await copy.run("rm -rf server.cjs; echo 1 > made.txt");
      await copy.stop();
      expect(bytesOf(directory)).toEqual(before);
    }
    expect(existsSync(join(directory, "made.txt"))).toBe(false);
    expect(readdirSync(stateDirectory).filter((name) => name.startsWith("copy-"))).toEqual([]);
    expect(await ask(workspace)).toBe(`${rows + 1} ${visits + 1}`);
    await workspace.stop();
  });

  it("is not affected by what the project writes while the copy is open", async () => {
    const { workspace } = await openCounter();
    const copy = await workspace.copy!();
    await copy.start("node server.cjs");
    const [first = 0] = (await ask(copy)).split(" ").map(Number);
    for (let visit = 0; visit < 5; visit++) await ask(workspace);
    expect((await ask(copy)).split(" ").map(Number)[0]).toBe(first + 1);
    await workspace.stop();
  });

  it("has none of the app's data if it is to be empty", async () => {
    const { workspace, directory } = await openCounter();
    for (let visit = 0; visit < 5; visit++) await ask(workspace);
    const before = bytesOf(directory);
    const copy = await workspace.copy!({ empty: true });
    await copy.start("node server.cjs");
    // A server receives a request as it starts.
    expect(await ask(copy)).toMatch(/^[12] [12]$/);
    await copy.stop();
    expect(bytesOf(directory)).toEqual(before);
    await workspace.stop();
  });

  it("restores a checkpoint of the project, whose own files stay unchanged", async () => {
    const { workspace } = await openCounter();
    const file = toProjectPath("page.txt");
    await workspace.files.write(file, "first");
    const { revision } = await workspace.checkpoint("first");
    await workspace.files.write(file, "second");
    const now = await workspace.revision();
    const copy = await workspace.copy!();
    await copy.restore(revision);
    expect(await copy.revision()).toBe(revision);
    expect(Buffer.from((await copy.files.read(file)).bytes).toString()).toBe("first");
    expect(await workspace.revision()).toBe(now);
    await workspace.stop();
  });

  it("a copy ends with its project", async () => {
    const { workspace, stateDirectory } = await openCounter();
    const copy = await workspace.copy!();
    await workspace.stop();
    await expect(copy.run("true")).rejects.toMatchObject({ code: "stopped" });
    expect(readdirSync(stateDirectory).filter((name) => name.startsWith("copy-"))).toEqual([]);
  });

  it("has no packages, caches or builds if it is to be clean", async () => {
    const { workspace } = await openCounter();
    await workspace.run(
      "mkdir -p dist .cache node_modules/a api/node_modules/b src/build; touch dist/a .cache/b node_modules/a/c api/node_modules/b/d src/build/e .env",
    );
    const copy = await workspace.copy!({ clean: true });
    const { output } = await copy.run("find . -type f -not -path './.data/*' | sort");
    expect(output.trim().split("\n")).toEqual(["./.env", "./server.cjs", "./src/build/e"]);
    expect((await workspace.run("ls node_modules dist")).output).toContain("a");
    await workspace.stop();
  });
}
