import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type * as Real from "@treadle/workspace";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

const disk = vi.hoisted(() => ({ fails: false }));
vi.mock("@treadle/workspace", async (original) => {
  const real = await original<typeof Real>();
  return {
    ...real,
    removeTree: async (path: string) => {
      if (disk.fails) throw new Error("the disk is read-only");
      await real.removeTree(path);
    },
  };
});

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const remove = (id: string) => server.api(`/api/projects/${id}`, { method: "DELETE" });
const isThere = async (id: string) => (await server.api(`/api/projects/${id}`)).status === 200;

it("A51 a project is gone only when its files are: if they cannot be removed it stays, and can be removed later", async () => {
  const id = await server.project();
  disk.fails = true;
  const refused = await remove(id);
  disk.fails = false;
  expect([refused.status, await isThere(id)]).toEqual([500, true]);
  expect((await remove(id)).status).toBe(200);
  expect(await isThere(id)).toBe(false);
});

it("A51 removes a project with folders nested deeper than a path can be long", async () => {
  const id = await server.project();
  const folder = join(server.directory, "projects", id);
  mkdirSync(folder, { recursive: true });
  const deep = `mkdir -p files && cd files; for i in $(seq 60); do mkdir ${"d".repeat(100)} && cd ${"d".repeat(100)}; done; echo x > x`;
  execFileSync("bash", ["-c", deep], { cwd: folder });
  expect((await remove(id)).status).toBe(200);
  expect([await isThere(id), existsSync(folder)]).toEqual([false, false]);
});
