import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TodoItem } from "@treadle/protocol";
import { afterEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../server.test-support.ts";

let server: TestServer;
const folders: string[] = [];
afterEach(async () => {
  await server.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const PLAN: TodoItem[] = [
  { text: "Page", status: "doing" },
  { text: "Store", status: "todo" },
];
const TICKED: TodoItem[] = [{ text: "Page", status: "done" }];

const at = (id: string) => `/api/projects/${id}/todo`;
const put = (id: string, before: unknown, items: unknown) =>
  server.api(at(id), { method: "PUT", json: { before, items } });

it("the person changes the list during a run, the run reads it, and it survives a restart", async () => {
  const directory = mkdtempSync(join(tmpdir(), "treadle-todo-"));
  folders.push(directory);
  server = await startTestServer(directory);
  let changed = () => {};
  const waits = new Promise<void>((resolve) => (changed = resolve));
  let seen: readonly TodoItem[] | undefined;
  server.turns.push(async ({ run }, ports, { emit }) => {
    emit({ type: "todo", by: "model", items: PLAN, run });
    await waits;
    seen = ports.todo?.();
  });
  const made = await server.api("/api/projects", { json: { prompt: "Build it" } });
  const { id } = (await made.json()) as { id: string };
  await server.until(id, ({ type }) => type === "todo");
  expect((await put(id, PLAN, TICKED)).status).toBe(200);
  changed();
  await server.until(id, ({ type }) => type === "run-end");
  expect(seen).toEqual(TICKED);
  await server.close();
  server = await startTestServer(directory);
  expect(await (await server.api(at(id))).json()).toEqual({ items: TICKED });
  const events = await server.events(id);
  expect(events.filter(({ type }) => type === "todo")).toMatchObject([
    { by: "model" },
    { by: "person", items: TICKED },
  ]);
});

it("refuses to replace a list that has changed, and refuses an invalid list", async () => {
  server = await startTestServer();
  const id = await server.project();
  expect((await put(id, [], PLAN)).status).toBe(200);
  const late = await put(id, [], TICKED);
  expect(late.status).toBe(409);
  expect(await late.json()).toMatchObject({ error: { code: "changed" } });
  expect((await put(id, PLAN, [{ text: " ", status: "todo" }])).status).toBe(400);
  expect((await put(id, PLAN, [{ text: "a", status: "later" }])).status).toBe(400);
  expect((await put(id, PLAN, [])).status).toBe(200);
  expect(await (await server.api(at(id))).json()).toEqual({ items: [] });
});
