import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
let id: string;
let directory: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "treadle-locks-"));
  server = await startTestServer(directory);
  id = await server.project();
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const at = (path: string) => `/api/projects/${id}/${path}`;
const lock = (path: string, locked = true) =>
  server.api(at("locks"), { method: "POST", json: { path, locked } });
const locks = async () =>
  ((await (await server.api(at("locks"))).json()) as { locks: string[] }).locks;

it("locks and unlocks files and folders, and passes the current locks to a run", async () => {
  expect((await lock("src")).status).toBe(200);
  await lock("./a.ts");
  await lock("src");
  expect(await locks()).toEqual(["a.ts", "src"]);
  let locked: readonly string[] = [];
  server.turns.push(async (_request, ports) => {
    locked = ports.locks?.() ?? [];
    await lock("src", false);
    locked = [...locked, "then", ...(ports.locks?.() ?? [])];
  });
  const sent = await server.api(at("messages"), { method: "POST", json: { text: "Go on" } });
  const { run } = (await sent.json()) as { run: string };
  await server.until(id, (event) => event.type === "run-end" && event.run === run);
  expect(locked).toEqual(["a.ts", "src", "then", "a.ts"]);
});

it("refuses to lock the whole project, paths outside, and more than can be shown", async () => {
  expect((await lock(".")).status).toBe(400);
  expect((await lock("../x")).status).toBe(400);
  for (let made = 0; made < 200; made++) await lock(`f${made}`);
  expect((await lock("one-more")).status).toBe(409);
});

it("keeps locks over a restart, and moves them with the files that the person moves", async () => {
  server.workspace(id).put("src/a.ts", "1");
  await lock("src/a.ts");
  await server.api(at("files/rename"), { method: "POST", json: { from: "src", to: "lib" } });
  expect(await locks()).toEqual(["lib/a.ts"]);
  await server.close();
  server = await startTestServer(directory);
  expect(await locks()).toEqual(["lib/a.ts"]);
});
