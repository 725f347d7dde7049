import { expect, it } from "vitest";
import { findMethods } from "./find-methods.ts";
import { findRoutes } from "./find-routes.ts";

const found = (files: Record<string, string>) =>
  findMethods(Object.entries(files).map(([path, text]) => ({ path, text }))).map(
    ({ method, path }) => `${method} ${path}`,
  );

/** Ways in which frameworks mount routers, and the resulting routes. */
const PUT: Record<string, [files: Record<string, string>, ...routes: string[]]> = {
  "Express: a router below one below another, in three files": [
    {
      "server.js": 'import { api } from "./routes/index.js"; app.use("/api/v2", auth(), api);',
      "routes/index.js":
        'import clients from "./clients.js"; import * as staff from "./staff.js"; export const api = Router(); api.use("/crm", clients); api.use("/hr", staff.router);',
      "routes/clients.js": 'router.route("/").get(list).post((q, s) => s.json({})); router.get("/:id", one);', // prettier-ignore
      "routes/staff.js": 'export const router = Router(); router.get("/", all);',
    },
    "GET /api/v2/crm/:id",
    "GET /api/v2/crm",
    "POST /api/v2/crm",
    "GET /api/v2/hr",
  ],
  "Express: what is required where it is put": [
    {
      "server.js": 'app.use("/shop", require("./shop")(db)); app.use(require("./root").router);',
      "shop.js": 'module.exports = () => { r.get("/users", list); return r; };',
      "root.js": 'router.get("/me", me);',
    },
    "GET /shop/users",
    "GET /me",
  ],
  "Fastify: plugins of one file, one in another": [
    {
      "server.js": `async function people(f) { f.get("/", a); f.get("/:id", b); }
        function orders(f, opts, done) { f.route({ method: "GET", url: "/export", handler }); done(); }
        const v1 = async (f) => { f.register(people, { prefix: "/patients" }); f.register(orders, { logLevel: "warn", prefix: "orders" }); };
        app.register(v1, { prefix: "/v1" }); app.get("/health", ok);
        app.register(async (inner) => { inner.get("/stats", s); inner.get("/users", u); }, { prefix: "/admin" });`,
    },
    "GET /v1/patients",
    "GET /v1/patients/:id",
    "GET /health",
    "GET /admin/stats",
    "GET /admin/users",
    "GET /v1/orders/export",
  ],
  "Fastify: a plugin that is imported where it is put, and folders": [
    {
      "server.js": 'app.register(import("./sales.js"), { prefix: "/sales" }); app.register(autoload, { dir: "routes" }); // @fastify/autoload', // prettier-ignore
      "sales.js": 'export default async (f) => { f.get("/leads", list) }',
      "routes/tea/_cup/index.js": 'export default async (f) => { f.get("/users", list) }',
    },
    "GET /sales/leads",
    "GET /tea/:id/users",
  ],
  "Koa: a router below one with a prefix, and a route with a name": [
    {
      "server.js": `const users = new Router(); users.get("/", a); users.get("list", "/all", b);
        const api = new Router({ prefix: "/api" }); api.use("/users", users.routes(), users.allowedMethods());
        root.get("/", home); app.use(root.routes()).use(api.routes());`,
    },
    "GET /api/users",
    "GET /api/users/all",
    "GET /",
  ],
  "Hono: what is chained, and a base": [
    {
      "server.ts": `import { members } from "./members";
        const admin = new Hono<Env>().get("/", (c) => c.html("<h1>It's all</h1>")).get("/export", b);
        const api = app.basePath("/api"); api.route("/club", members).route("/staff", admin);`,
      "members.ts": 'export const members = new Hono(); members.all("/members", a);',
    },
    "GET /api/staff",
    "GET /api/staff/export",
    "GET /api/club/members",
  ],
  "h3: an app that is mounted": [
    {
      "server.mjs":
        'import { bookings } from "./bookings.mjs"; app.mount("/api/bookings", bookings);',
      "bookings.mjs": 'export const bookings = new H3(); bookings.get("/today", a);',
    },
    "GET /api/bookings/today",
  ],
  "paths that are put together": [
    {
      "server.js": 'const BASE = "/api/v3"; app.get(`${BASE}/orders`, a); app.get(BASE + "/users", b);', // prettier-ignore
    },
    "GET /api/v3/orders",
    "GET /api/v3/users",
  ],
};

it.each(Object.entries(PUT))("finds routes below their mount path: %s", (_, [files, ...routes]) =>
  expect(found(files)).toEqual(routes),
);

it("a router mounted in itself, or in very many places, does not block the server", () => {
  expect(found({ "a.js": 'a.use("/x", b); b.use("/y", a); a.get("/z", c);' })).toHaveLength(1);
  const many = Array.from({ length: 200 }, (_, at) => `r${at % 20}.use("/p", r${(at * 7) % 20});`);
  expect(found({ "a.js": `${many.join("\n")} r7.get("/z", c);` }).length).toBeLessThan(100);
});

it("finds routes that a program parses itself", () => {
  const text = `
    const parts = url.pathname.split("/").filter(Boolean);
    switch (parts[0]) {
      case "api":
        switch (parts[1]) {
          case "notes": if (req.method === "GET") return list(); return keep(body.title);
          case "tags": { return tags(); }
        }
        return gone();
      case "about": return about();
    }
    switch (kind) { case "circle": return 1; }
    switch (pathname) { case "/health": return ok(); }
    if (parts[0] === "v2" && parts[1] === "people") return people();`;
  expect(found({ "server.js": text })).toEqual([
    "GET /api",
    "POST /api",
    "GET /api/notes",
    "POST /api/notes",
    "GET /api/tags",
    "GET /about",
    "GET /health",
    "GET /v2/people",
  ]);
});

it("finds addresses that are concatenated from a name and more", () =>
  expect(
    findRoutes([
      { path: "a.ts", text: 'const API = "/api"; const paths = { all: API + "/users" };' },
    ]),
  ).toContain("/api/users"));
