import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { tryOwnedRows } from "../owned-rows.test-support.ts";

interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  /** 0 for an anonymous visitor. */
  who: number;
  role: string;
}

/** An API that identifies users by a token: its answers with their statuses. */
function api(
  answer: (asked: Asked) => [status: number, data?: unknown],
  takesRole = false,
): RequestListener {
  const roles: string[] = [];
  const listen = async (request: IncomingMessage, response: ServerResponse) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    let body: Record<string, unknown> = {};
    try {
      body = JSON.parse(text || "{}") as Record<string, unknown>;
    } catch {
      return void response.writeHead(400).end();
    }
    const { pathname: path, searchParams: query } = new URL(request.url!, "http://a");
    const method = request.method!;
    const reply = (status: number, data?: unknown) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data)); // prettier-ignore
    if (method === "POST" && path === "/api/register") {
      roles.push(takesRole && body["role"] === "admin" ? "admin" : "member");
      return reply(201, { token: `token-of-person-${roles.length}` });
    }
    const who = Number(/token-of-person-(\d+)/.exec(request.headers.authorization ?? "")?.[1] ?? 0);
    return reply(...answer({ method, path, query, body, who, role: roles[who - 1] ?? "" }));
  };
  return (request, response) => void listen(request, response);
}

type Open = "read" | "add" | "change" | "delete" | "none" | "public";

/** Projects with tasks, nested (`/api/projects/1/tasks`) or separate (`/api/tasks?projectId=1`). */
function projects(open: Open): RequestListener {
  const all: { id: number; of: number; name: unknown }[] = [];
  const tasks: { id: number; projectId: number; title: unknown }[] = [];
  return api(({ method, path, query, body, who }) => {
    if (who === 0 && !(open === "public" && path.endsWith("tasks"))) return [401, {}];
    const isOwn = (id: number, what: Open) =>
      open === what || open === "public" || all.some((one) => one.id === id && one.of === who);
    if (path === "/api/projects" && method === "POST") {
      all.push({ id: all.length + 1, of: who, name: body["name"] });
      return body["name"] === undefined ? [400, {}] : [201, all.at(-1)];
    }
    if (path === "/api/projects") return [200, all.filter(({ of: owner }) => owner === who)];
    const [, within, ownerPath] = /^\/api\/projects\/(\d+)(\/tasks)?$/.exec(path) ?? [];
    if (ownerPath === undefined && within !== undefined)
      return all.some(({ id, of: by }) => id === Number(within) && by === who)
        ? [200, all[Number(within) - 1]]
        : [404, {}];
    if (!path.startsWith("/api/")) return [404, {}];
    const [, one] = /\/tasks\/(\d+)$/.exec(path) ?? [];
    const project = Number(within ?? body["projectId"] ?? query.get("projectId"));
    if (one === undefined && path.endsWith("/tasks")) {
      if (method === "GET")
        return isOwn(project, "read") ? [200, tasks.filter(({ projectId }) => projectId === project)] : [404, {}]; // prettier-ignore
      if (!isOwn(project, "add") || !all[project - 1]) return [404, {}];
      tasks.push({ id: 100 + tasks.length, projectId: project, title: body["title"] });
      return body["title"] === undefined ? [400, {}] : [201, tasks.at(-1)];
    }
    const at = tasks.findIndex(({ id }) => id === Number(one));
    const task = tasks[at];
    if (!task) return [404, {}];
    if (method === "PATCH" && isOwn(task.projectId, "change")) return [200, Object.assign(task, body)]; // prettier-ignore
    if (method === "DELETE" && isOwn(task.projectId, "delete")) return [204, tasks.splice(at, 1)];
    return [404, {}];
  });
}

const BELOW = `
  app.post("/api/register", (q) => make(q.body.email, q.body.password));
  app.get("/api/projects", list); app.post("/api/projects", (q) => keep(q.body.name)); app.get("/api/projects/:id", one);
  app.get("/api/projects/:id/tasks", tasks); app.post("/api/projects/:id/tasks", (q) => add(q.body.title));
  app.patch("/api/tasks/:id", (q) => change(q.body.title)); app.delete("/api/projects/:projectId/tasks/:id", remove);`;
const BESIDE = `
  app.post("/api/register", (q) => make(q.body.email, q.body.password));
  app.get("/api/projects", list); app.post("/api/projects", (q) => keep(q.body.name));
  app.get("/api/tasks", (q) => of(q.query.projectId)); app.post("/api/tasks", (q) => add(q.body.projectId, q.body.title));
  app.patch("/api/tasks/:id", (q) => change(q.body.title)); app.delete("/api/tasks/:id", remove);`;

it.each([
  ["none", [], []],
  ["read", ["read GET /api/projects/:id/tasks"], ["read GET /api/tasks?projectId="]],
  ["add", ["change POST /api/projects/:id/tasks"], ["change POST /api/tasks"]],
  ["change", ["change PATCH /api/tasks/:id"], ["change PATCH /api/tasks/:id"]],
  ["delete", ["delete DELETE /api/projects/:id/tasks/:id"], ["delete DELETE /api/tasks/:id"]],
] as const)(
  "what is below what somebody else has written is tried too, by its address or by a field: %s",
  async (open, below, beside) => {
    for (const [text, expected] of [[BELOW, below], [BESIDE, beside]] as const) {
      const { found, unchecked } = await tryOwnedRows(projects(open), text);
      const seen = found.map(({ title, where }) => `${/can (\w+)/.exec(title)?.[1]} ${where}`);
      expect([...seen, ...unchecked]).toEqual(expected);
    }
  }, // prettier-ignore
);

it("a resource to which anonymous visitors may add is meant for everyone", async () => {
  const { found } = await tryOwnedRows(projects("public"), BELOW.replace(/ {2}app\.patch.*/, ""));
  expect(found).toEqual([]);
});

/** A user's own notes, and routes named admin. */
const club = (open: "members" | "writes" | "role" | "none", role = true) =>
  api(({ method, path, body, who, role: is }) => {
    if (who === 0) return [401, {}];
    if (path === "/api/notes") return [method === "POST" ? 201 : 200, { id: who, text: body["text"] }]; // prettier-ignore
    const may = !role || is === "admin" || open === (method === "GET" ? "members" : "writes");
    if (path === "/api/admin/me") return [200, { id: who, isAdmin: is === "admin" }];
    if (path === "/api/admin/users") return may ? [200, [{ id: 1, name: "Ada" }]] : [403, {}];
    return path === "/api/admin/users/1" && may ? [200, { id: 1 }] : [403, {}];
  }, open === "role");
const CLUB = `
  app.post("/api/register", (q) => make(q.body.email, q.body.password, q.body.name));
  app.get("/api/admin/me", me); app.get("/api/admin/users", requireAdmin, list); app.put("/api/admin/users/:id", requireAdmin, set);`;

it.each([
  ["none"],
  ["members", "Whoever makes an account may use what is called admin. GET /api/admin/users"],
  ["writes", "Whoever makes an account may use what is called admin. PUT /api/admin/users/:id"],
  ["role", "Whoever makes an account may make it an administrator's. POST /api/register"],
] as const)("what is called admin is tried with an account of nobody's: %s", async (open, ...expected) => {
  const { found } = await tryOwnedRows(club(open), CLUB);
  expect(found.map(({ title, where }) => `${title} ${where}`)).toEqual(expected);
}); // prettier-ignore

it("in an app without roles, all users administer their own data", async () => {
  const { found } = await tryOwnedRows(
    club("none", false),
    CLUB.replaceAll("requireAdmin", "signedIn"),
  );
  expect(found).toEqual([]);
});

/** Public posts, for which some write requests require a sign-in and others do not. */
function posts(open: readonly string[]): RequestListener {
  const rows = [{ id: 1, title: "Tea" as unknown }];
  return api(({ method, path, body }) => {
    if (path === "/api/posts" && method === "GET") return [200, rows];
    if (!open.includes(method)) return [401, { error: "Unauthorized" }];
    if (method === "POST") return [201, rows.push({ id: rows.length + 1, title: body["title"] })];
    const at = rows.findIndex(({ id }) => path === `/api/posts/${id}`);
    if (at < 0) return [404, {}];
    if (method === "DELETE") return [204, rows.splice(at, 1)];
    return [200, Object.assign(rows[at]!, body)];
  });
}

it.each([
  [[], []],
  [["PUT"], ["PUT /api/posts/:id"]],
  [["POST", "DELETE"], ["DELETE /api/posts/:id"]],
  // Creating is often public, and so may be everything.
  [["POST"], []],
  [["POST", "PUT", "DELETE"], []],
] as const)("what a stranger changes where a sign-in is asked for beside it: %s", async (open, expected) => {
  const { found, unchecked } = await tryOwnedRows(posts(open), POSTS);
  expect(found.map(({ where }) => where)).toEqual(expected);
  expect(unchecked).toEqual([]);
}); // prettier-ignore
const POSTS = `
  app.get("/api/posts", list); app.post("/api/posts", auth, (q) => keep(q.body.title));
  app.put("/api/posts/:id", auth, (q) => set(q.body.title)); app.delete("/api/posts/:id", auth, remove);
  const auth = (q, s, next) => known(q) ? next() : s.status(401).end();`;
