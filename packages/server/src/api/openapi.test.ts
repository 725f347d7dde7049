import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it("/api/openapi.json describes the API, with a summary for every route", async () => {
  const response = await server.api("/api/openapi.json");
  expect(response.status).toBe(200);
  const { openapi, paths } = (await response.json()) as {
    openapi: string;
    paths: Record<string, Record<string, { summary?: string }>>;
  };
  expect(openapi).toMatch(/^3\./);
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining([
      "/api/health",
      "/api/models",
      "/api/projects",
      "/api/projects/{id}/events",
      "/api/projects/{id}/messages",
      "/api/enhancer",
      "/build-result",
    ]),
  );
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { summary }] of Object.entries(methods))
      expect(summary, `${method} ${path}`).toBeTruthy();
});
