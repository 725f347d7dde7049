import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
let project: string;
let routes: { method: string; path: string }[];
beforeAll(async () => {
  server = await startTestServer();
  project = await server.project();
  const described = (await (await server.api("/api/openapi.json")).json()) as {
    paths: Record<string, Record<string, { requestBody?: object }>>;
  };
  routes = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => requestBody)
      .map(([method]) => ({
        method: method.toUpperCase(),
        path: path.replace("{id}", project).replaceAll(/\{\w+\}/g, "x"),
      })),
  );
});
afterAll(() => server.close());

/** Several times what a function that calls itself for each could bear. */
const DEEP = 50_000;
const PROTO = '{"polluted":"yes"}';
const BODIES: [string, string][] = [
  ["names that are everybody's", `{"__proto__":${PROTO},"constructor":{"prototype":${PROTO}}}`],
  [
    "the same where a text belongs",
    `{"name":{"__proto__":${PROTO}},"prompt":{"__proto__":${PROTO}}}`,
  ],
  ["a list within a list without end", "[".repeat(DEEP) + "]".repeat(DEEP)],
  ["an object within an object without end", '{"prompt":'.repeat(DEEP) + "1" + "}".repeat(DEEP)],
  ["depth where anything is taken", `{"messages":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`],
  ["very many entries", `{"items":[${"0,".repeat(100_000)}0],"always":[${"0,".repeat(100_000)}0]}`],
  ["numbers that are none", '{"maxSteps":1e999,"columns":-1e999,"text":1e999}'],
  ["half a character", '{"prompt":"\\ud800","text":"\\udfff\\u0000","name":"\\u202e"}'],
  ["nothing", "null"],
  ["a list", "[]"],
  ["no JSON", '{"prompt":'],
  ["a mark in front", '\ufeff{"prompt":"x"}'],
  ["no body", ""],
];

it.each(BODIES)(
  "A69 %s is refused or accepted as it is on every route, without effect on others",
  async (_what, body) => {
    expect(routes.length).toBeGreaterThan(15);
    for (const { method, path } of routes) {
      // Valid requests may succeed; only an explicit deletion may remove the project.
      if (method === "DELETE") continue;
      for (const type of ["application/json", "text/plain"]) {
        const headers = { "content-type": type };
        const answered = await server.api(path, { method, body, headers });
        expect(answered.status, `${method} ${path}`).toBeLessThan(500);
        await answered.body?.cancel();
      }
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect((await server.api("/api/health")).status).toBe(200);
  },
);

it.each(["__proto__", "constructor", "prototype", "toString", "%00", "..", "a".repeat(5_000)])(
  "A69 %s is never the id of a project, a question, a picture or a query",
  async (name) => {
    for (const path of [
      `/api/projects/${name}`,
      `/api/projects/${name}/files/a`,
      `/api/projects/${project}/pictures/${name}`,
    ])
      for (const method of ["GET", "DELETE"]) {
        const { status } = await server.api(path, { method });
        expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
        expect(status, `${method} ${path}`).toBeLessThan(500);
      }
    const json = { kind: "deny" };
    const answer = await server.api(`/api/projects/${project}/questions/${name}`, { json });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    const query = `/api/projects/${project}/events?${name}[${name}]=1&after[__proto__]=1`;
    const followed = await server.api(query);
    expect(followed.status).toBeLessThan(500);
    await followed.body?.cancel();
    expect(await server.store.projects.get(project)).toBeDefined();
  },
);
