import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../server.test-support.ts";
import { cookieName } from "./check-access.ts";

let server: TestServer;
let origin: string;
let routes: { method: string; path: string }[];
beforeAll(async () => {
  server = await startTestServer();
  const listening = await server.listen();
  origin = listening.url.replace("127.0.0.1", "localhost").replace(/\/$/, "");
  const described = (await (await server.api("/api/openapi.json")).json()) as {
    paths: Record<string, object>;
  };
  const id = await server.project();
  routes = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: path.replace("{id}", id).replaceAll(/\{\w+\}/g, "x"),
    })),
  );
});
afterAll(() => server.close());

const ask = async ({ method, path }: (typeof routes)[number], headers: Record<string, string>) => {
  const { hostname, port } = new URL(origin);
  const request = new Request(`${origin}${path}`, {
    method,
    headers: { host: `${hostname}:${port}`, "content-type": "application/json", ...headers },
    body: method === "GET" ? undefined : "{}",
  });
  const response = await server.treadle.fetch(request);
  await response.body?.cancel();
  return response.status;
};
const cookie = () =>
  `${cookieName({ port: Number(new URL(origin).port) })}=${server.treadle.token}`;

it("A2, A5, A6 each route refuses a page of another origin, a preview, a request without token, and a change without an origin", async () => {
  expect(routes.length).toBeGreaterThan(60);
  const taken: string[] = [];
  for (const route of routes) {
    const name = `${route.method} ${route.path}`;
    const own = { cookie: cookie(), origin };
    const hostile: [string, number, Record<string, string>][] = [
      ["no token", 401, route.method === "GET" ? {} : { origin }],
      ["a token that is nearly right", 401, { authorization: `Bearer ${server.treadle.token}x` }],
      ["another origin", 403, { ...own, origin: "https://evil.example" }],
      ["a preview", 403, { ...own, origin: origin.replace("localhost", "abc.localhost") }],
      ["no origin that can be told", 403, { ...own, origin: "null" }],
      ["another site, by what the browser says", 403, { ...own, "sec-fetch-site": "same-site" }],
      ["another name", 403, { ...own, host: "evil.example" }],
      ...(route.method === "GET"
        ? []
        : [["no origin", 403, { cookie: cookie() }] satisfies (typeof hostile)[number]]),
    ];
    for (const [what, expected, headers] of hostile) {
      const status = await ask(route, headers);
      if (status !== expected) taken.push(`${name}: ${what}: ${status}`);
    }
  }
  expect(taken).toEqual([]);
});

it("answers 404 for a deleted project at each of its routes, except at those that restore or remove it", async () => {
  const id = await server.project();
  const deleted = await server.api(`/api/projects/${id}?undo=true`, { method: "DELETE" });
  expect(deleted.status).toBe(200);
  const ofProject = routes.filter(({ path }) => /^\/api\/projects\/[^/]+(?:\/|$)/.test(path));
  expect(ofProject.length).toBeGreaterThan(60);
  const answered: string[] = [];
  for (const { method, path } of ofProject) {
    const name = `${method} ${path}`;
    if (method === "DELETE" && /^\/api\/projects\/[^/]+$/.test(path)) continue;
    if (path.endsWith("/put-back")) continue;
    const response = await server.api(path.replace(/(?<=projects\/)[^/]+/, id), {
      method,
      ...(method === "GET" ? {} : { body: "{}" }),
    });
    const text = await response.text();
    if (response.status !== 404 || !text.includes('"values":{"what":"project"}'))
      answered.push(`${name}: ${response.status} ${text.slice(0, 200)}`);
  }
  expect(answered).toEqual([]);
});
