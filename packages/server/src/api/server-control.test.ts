import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it.each([
  ["package.json", '{"scripts":{"dev":"vite","start":"node ."}}', "npm run dev"],
  ["package.json", '{"scripts":{"start":"node ."}}', "npm start"],
  ["index.html", "<h1>Hi</h1>", "treadle-serve"],
  ["notes.txt", "no app", undefined],
])("starts a project of %s with its own command: %j", async (path, text, command) => {
  const id = await server.project();
  const workspace = server.workspace(id);
  workspace.put(path, text);
  const answer = await server.api(`/api/projects/${id}/server`, { json: { action: "start" } });
  expect(answer.status).toBe(command ? 200 : 409);
  if (command) await expect.poll(() => workspace.started).toEqual([command]);
});

it("installs missing packages before the start and reports it, or reports why they cannot be installed", async () => {
  const id = await server.project();
  const workspace = server.workspace(id);
  const manifest = (dependencies: object) =>
    workspace.put("package.json", JSON.stringify({ scripts: { dev: "vite" }, dependencies }));
  manifest({ vite: "8.0.0" });
  await server.api(`/api/projects/${id}/server`, { json: { action: "start" } });
  await server.until(
    id,
    (event) =>
      event.type === "server" &&
      event.server.installing === true &&
      event.server.command === "npm run dev",
  );
  await expect.poll(() => workspace.started).toEqual(["npm run dev"]);
  workspace.perform = (command) =>
    command.startsWith("npm install") ? { code: 1, output: "npm error code E404" } : undefined;
  manifest({ "react-doom": "1.0.0" });
  await server.api(`/api/projects/${id}/server`, { json: { action: "restart" } });
  await server.until(
    id,
    (event) =>
      event.type === "server" &&
      event.server.state === "crashed" &&
      event.server.tail?.includes("E404") === true,
  );
  expect(workspace.started).toEqual(["npm run dev"]);
});

it("runs pending migrations before the start, or reports the one that failed", async () => {
  const id = await server.project();
  const workspace = server.workspace(id);
  const start = () => server.api(`/api/projects/${id}/server`, { json: { action: "start" } });
  workspace.put("package.json", '{"scripts":{"start":"node ."}}');
  workspace.put("migrations/0001_guests.sql", "CREATE TABLE guests (name TEXT);");
  workspace.perform = (command) =>
    command.startsWith("treadle-db migrate")
      ? { code: 1, output: "migrations/0001_guests.sql:1: near CREATE" }
      : undefined;
  await start();
  await server.until(
    id,
    (event) =>
      event.type === "server" &&
      event.server.state === "crashed" &&
      event.server.tail?.includes("0001_guests.sql") === true,
  );
  expect(workspace.started).toEqual([]);
  workspace.perform = () => undefined;
  await start();
  await expect.poll(() => workspace.started).toEqual(["npm start"]);
});

it("stops a server whose files were restored to before it, and starts it when they are restored again", async () => {
  const id = await server.project();
  const workspace = server.workspace(id);
  const control = (action: string) =>
    server.api(`/api/projects/${id}/server`, { json: { action } });
  const empty = await workspace.checkpoint("Before this turn");
  workspace.put("package.json", '{"scripts":{"dev":"vite"}}');
  expect((await control("start")).status).toBe(200);
  await server.until(id, (event) => event.type === "server" && event.server.state === "up");
  const { checkpoint } = await workspace.checkpoint("Built");
  const restore = (to: string) =>
    server.api(`/api/projects/${id}/restore`, { json: { checkpoint: to } });
  expect((await restore(empty.checkpoint)).status).toBe(200);
  expect(workspace.server?.state).toBe("stopped");
  expect((await control("start")).status).toBe(409);
  expect(workspace.started).toEqual(["npm run dev"]);
  expect((await restore(checkpoint)).status).toBe(200);
  await expect.poll(() => workspace.started).toEqual(["npm run dev", "npm run dev"]);
});

it.each([
  ["node server.js", 2],
  ["vite", 1],
])(
  "restarts %j after files were restored only if it does not follow changes",
  async (dev, starts) => {
    const id = await server.project();
    const workspace = server.workspace(id);
    workspace.put("package.json", JSON.stringify({ scripts: { dev } }));
    workspace.put("title.js", "old");
    await server.api(`/api/projects/${id}/server`, { json: { action: "start" } });
    await server.until(id, (event) => event.type === "server" && event.server.state === "up");
    const { checkpoint } = await workspace.checkpoint("Before");
    workspace.put("title.js", "new");
    const restore = () => server.api(`/api/projects/${id}/restore`, { json: { checkpoint } });
    expect((await restore()).status).toBe(200);
    await expect.poll(() => workspace.started).toHaveLength(starts);
    // The files are the same now.
    expect((await restore()).status).toBe(200);
    expect(workspace.started).toHaveLength(starts);
  },
);
