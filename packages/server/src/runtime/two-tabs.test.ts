import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FakeWorkspace } from "../../../workspace/src/testing/fake-workspace.test-support.ts";
import { projectFolder } from "../project-context/project-folder.ts";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Delays the next end of a sandbox, so that requests arrive in the middle of it. */
function holdStop() {
  const reached = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const spy = vi.spyOn(FakeWorkspace.prototype, "stop").mockImplementation(async function (
    this: FakeWorkspace,
  ) {
    spy.mockRestore();
    reached.resolve();
    await held.promise;
    await this.stop();
  });
  return { reached: reached.promise, go: held.resolve };
}

/** All requests that a page of this project may make. */
const asked = (id: string): [string, string, object?][] => [
  ["PUT", `/api/projects/${id}/files/late.txt`],
  ["GET", `/api/projects/${id}/files`],
  ["GET", `/api/projects/${id}`],
  ["POST", `/api/projects/${id}/files/rename`, { from: "a.txt", to: "b.txt" }],
  ["POST", `/api/projects/${id}/messages`, { text: "And that" }],
  ["PATCH", `/api/projects/${id}`, { name: "Another" }],
  ["DELETE", `/api/projects/${id}/files/a.txt`],
  ["DELETE", `/api/projects/${id}`],
];

const ask = async (id: string) =>
  Promise.all(
    asked(id).map(async ([method, path, json]) => {
      const init = json
        ? { method, json }
        : { method, ...(method === "PUT" ? { body: "x", headers: { "if-none-match": "*" } } : {}) };
      return (await server.api(path, init)).status;
    }),
  );

describe("A71 one tab removes a project while another works on it", () => {
  it("nothing of it comes back: no sandbox, no file, no log entry, no entry in the list", async () => {
    const id = await server.project();
    const folder = projectFolder(server.directory, id);
    mkdirSync(join(folder, "files"), { recursive: true });
    writeFileSync(join(folder, "files", "a.txt"), "a");
    await server.api(`/api/projects/${id}/files`);
    const opened = server.workspace(id);
    const stop = holdStop();
    const removed = server.api(`/api/projects/${id}`, { method: "DELETE" });
    await stop.reached;
    const meanwhile = ask(id);
    stop.go();
    expect((await removed).status).toBe(200);
    const statuses = await meanwhile;
    // Waiting requests may be told that the project is gone; none reports success.
    expect(statuses.slice(0, -1).every((status) => status >= 400)).toBe(true);
    const after = await ask(id);
    expect(after).toEqual(after.map(() => 404));
    expect(server.workspace(id)).toBe(opened);
    expect(opened.stopped).toBe(true);
    expect(existsSync(folder)).toBe(false);
    expect(await server.store.projects.get(id)).toBeUndefined();
    expect(await server.store.log.read(id, 0)).toEqual([]);
  });

  it("two concurrent removals both report that it is gone", async () => {
    const id = await server.project();
    const path = `/api/projects/${id}`;
    const both = await Promise.all(
      [1, 2, 3].map(async () => (await server.api(path, { method: "DELETE" })).status),
    );
    expect(both.every((status) => status === 200 || status === 404)).toBe(true);
    expect(both).toContain(200);
    expect(await server.store.projects.get(id)).toBeUndefined();
  });
});

it("A71 a request while a project is being closed waits, and gets the next sandbox", async () => {
  const id = await server.project();
  await server.api(`/api/projects/${id}/files`);
  const first = server.workspace(id);
  const stop = holdStop();
  const released = server.treadle.projects.release(id);
  await stop.reached;
  const written = server.api(`/api/projects/${id}/files/late.txt`, {
    method: "PUT",
    body: "x",
    headers: { "if-none-match": "*" },
  });
  stop.go();
  await released;
  expect((await written).status).toBe(201);
  const next = server.workspace(id);
  expect([next === first, first.stopped, next.stopped]).toEqual([false, true, false]);
  // Closing the project closes that sandbox.
  await server.treadle.projects.release(id);
  expect(next.stopped).toBe(true);
});

describe("A71 two tabs change the same thing", () => {
  it("refuses the second of two renames to one name, and of two writes of one new file, and loses nothing", async () => {
    const id = await server.project();
    const at = (path: string) => `/api/projects/${id}/files/${path}`;
    const put = (path: string, body: string, more: Record<string, string>) =>
      server.api(at(path), { method: "PUT", body, headers: more });
    const fresh = { "if-none-match": "*" };
    const created = await Promise.all([put("n.txt", "1", fresh), put("n.txt", "2", fresh)]);
    expect(created.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const version = created.find(({ status }) => status === 201)?.headers.get("etag") ?? "";
    const saved = await Promise.all(
      ["3", "4"].map((body) => put("n.txt", body, { "if-match": version })),
    );
    expect(saved.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await put("a.txt", "a", fresh);
    await put("b.txt", "b", fresh);
    const renamed = await Promise.all(
      ["a.txt", "b.txt"].map((from) =>
        server.api(`/api/projects/${id}/files/rename`, { json: { from, to: "c.txt" } }),
      ),
    );
    expect(renamed.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const names = [...server.workspace(id).contents.keys()].toSorted();
    expect(names).toHaveLength(3);
  });

  it("refuses a restore during a turn, and delays a turn during a restore", async () => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const id = await server.project();
    const checkpoints = (await server.events(id)).flatMap((event) =>
      event.type === "checkpoint" ? [event.checkpoint] : [],
    );
    server.turns.unshift(async () => {
      begun.resolve();
      await end.promise;
    });
    server.turns.push(async () => {});
    await server.api(`/api/projects/${id}/messages`, { json: { text: "Build" } });
    await begun.promise;
    const json = { checkpoint: checkpoints[0] };
    const path = `/api/projects/${id}/restore`;
    expect((await server.api(path, { json })).status).toBe(409);
    end.resolve();
    await server.until(id, (event) => event.type === "run-end");
  });
});
