import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startTestServer } from "../server.test-support.ts";

const directory = mkdtempSync(join(tmpdir(), "treadle-import-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it("A25 A26 after the server was killed during an import, the next start leaves nothing of it", async () => {
  const first = await startTestServer(directory);
  const { id: cut } = await first.treadle.projects.create({ name: "Half" });
  const { id: complete } = await first.treadle.projects.create({ name: "Whole" });
  await first.close();
  for (const id of [cut, complete]) {
    mkdirSync(join(directory, "projects", id, "files"), { recursive: true });
    writeFileSync(join(directory, "projects", id, "files", "a.txt"), "a");
  }
  writeFileSync(join(directory, "projects", cut, "importing"), "");
  const again = await startTestServer(directory);
  const { projects } = (await (await again.api("/api/projects")).json()) as {
    projects: { id: string }[];
  };
  expect(projects.map(({ id }) => id)).toEqual([complete]);
  expect(existsSync(join(directory, "projects", cut))).toBe(false);
  expect(existsSync(join(directory, "projects", complete, "files", "a.txt"))).toBe(true);
  await again.close();
});
