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
])("starts what a project of %s holds: %j", async (path, text, command) => {
  const id = await server.project();
  const workspace = server.workspace(id);
  workspace.put(path, text);
  const answer = await server.api(`/api/projects/${id}/server`, { json: { action: "start" } });
  expect(answer.status).toBe(command ? 200 : 409);
  if (command) await expect.poll(() => workspace.started).toEqual([command]);
});
