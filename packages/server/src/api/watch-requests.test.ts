import { Hono } from "hono";
import { expect, it } from "vitest";
import { watchRequests, type LoggedRequest } from "./watch-requests.ts";

it("names a request by its route, with its id, and without what a query may hold", async () => {
  const requests: LoggedRequest[] = [];
  const app = new Hono();
  app.use(watchRequests((request) => requests.push(request)));
  app.use("/api/*", (_c, next) => next());
  app.get("/api/projects/:id", (c) => c.text("x"));
  app.get("/api/broken", () => {
    throw new Error("broken");
  });
  app.onError((_error, c) => c.text("failed", 500));

  const first = await app.request("/api/projects/p1?token=secret", {
    headers: { "x-request-id": "from-the-proxy-1" },
  });
  expect(first.headers.get("x-request-id")).toBe("from-the-proxy-1");
  const second = await app.request("/api/broken", { headers: { "x-request-id": "no\tid" } });
  expect(second.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(requests).toMatchObject([
    { id: "from-the-proxy-1", route: "/api/projects/:id", path: "/api/projects/p1", status: 200 },
    { route: "/api/broken", status: 500 },
  ]);
  expect(JSON.stringify(requests)).not.toContain("secret");
});
