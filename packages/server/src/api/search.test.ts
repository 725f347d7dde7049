import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
let id: string;

beforeEach(async () => {
  server = await startTestServer();
  id = await server.project();
  server.workspace(id).put("src/a.ts", "one two\nOne\n");
  server.workspace(id).put("b.md", "one\n");
});
afterEach(() => server.close());

const search = async (json: object) => {
  const answer = await server.api(`/api/projects/${id}/search`, { method: "POST", json });
  return {
    status: answer.status,
    ...((await answer.json()) as { matches: object[]; more: boolean }),
  };
};

it("finds lines in all of the project's files, and reports whether there are more", async () => {
  expect(await search({ pattern: "two" })).toMatchObject({
    status: 200,
    matches: [{ path: "src/a.ts", line: 1, text: "one two" }],
    more: false,
  });
  expect(await search({ pattern: "one", limit: 1 })).toMatchObject({ more: true });
});

it("refuses an empty and an overlong query", async () => {
  expect((await search({ pattern: "" })).status).toBe(400);
  expect((await search({ pattern: "x".repeat(1_001) })).status).toBe(400);
  expect((await search({ pattern: "x", limit: 2_001 })).status).toBe(400);
});
