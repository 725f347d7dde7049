import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthority } from "@treadle/accounts";
import { startTestServer, type TestServer } from "../server.test-support.ts";
import { createApp } from "./app.ts";
import type { Services } from "./services.ts";

interface Operation {
  summary?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: object };
  responses: Record<string, { content?: object }>;
}

let server: TestServer;
let described: { openapi: string; paths: Record<string, Record<string, Operation>> };
beforeAll(async () => {
  server = await startTestServer();
  const response = await server.api("/api/openapi.json");
  expect(response.status).toBe(200);
  described = (await response.json()) as typeof described;
});
afterAll(() => server.close());

const operations = () =>
  Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  );
const operationOf = (route: string) => operations().find((one) => one.route === route)!.operation;

describe("/api/openapi.json", () => {
  it("describes every mounted route, and no other", () => {
    const app = createApp({
      // The routes are only listed here; none is called.
      services: { dataDirectory: "" } as Services,
      authority: createAuthority(undefined),
      access: () => ({
        identify: () => undefined,
        enter: async () => undefined,
        hasAccounts: false,
        port: undefined,
      }),
      page: undefined,
      toolServer: { answeringBy: () => async () => new Response() },
      onNotice: () => {},
    });
    const mounted = app.routes
      .filter(({ method, path }) => method !== "ALL" && path !== "/api/openapi.json")
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}")}`);
    expect(
      operations()
        .map(({ route }) => route)
        .toSorted(),
    ).toEqual([...new Set(mounted)].toSorted());
  });

  it("describes each route's purpose, its path parameters, and its errors", () => {
    expect(described.openapi).toMatch(/^3\./);
    for (const { route, path, operation } of operations()) {
      expect(operation.summary, route).toBeTruthy();
      const named = (operation.parameters ?? []).filter((one) => one.in === "path");
      const expected = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      expect(named.map(({ name }) => name).toSorted(), route).toEqual(expected.toSorted());
      expect(operation.responses["4XX"]?.content, route).toBeDefined();
    }
  });

  it("documents the headers for reading and writing files, and the status 201 for a new one", () => {
    const path = "/api/projects/{id}/files/{path}";
    const headersOf = (method: string) =>
      (operationOf(`${method} ${path}`).parameters ?? [])
        .filter((one) => one.in === "header")
        .map(({ name }) => name)
        .toSorted();
    expect(headersOf("GET")).toEqual(["if-none-match", "range"]);
    expect(headersOf("PUT")).toEqual(["if-match", "if-none-match"]);
    expect(headersOf("DELETE")).toEqual(["if-match"]);
    const { responses } = operationOf(`PUT ${path}`);
    expect(Object.keys(responses).toSorted()).toEqual(["200", "201", "4XX"]);
  });
});
