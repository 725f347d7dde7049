import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { tellsPeopleApart } from "./check-owned-rows.ts";
import { findMethods } from "../routes/find-methods.ts";
import { tryOwnedRows } from "../owned-rows.test-support.ts";

async function read(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return new URLSearchParams(text);
}

/** A server-rendered app with a token in each form; a person is identified by their cookie. */
function formApp({ openDelete = false, openChange = false } = {}): RequestListener {
  const rows = new Map<number, { of: string; text: string }>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [, who = ""] = /who=(\w+)/.exec(request.headers.cookie ?? "") ?? [];
    const fields = await read(request);
    const to = (location: string, cookie?: string) =>
      response.writeHead(303, { location, ...(cookie && { "set-cookie": cookie }) }).end();
    const page = (text: string) => response.setHeader("content-type", "text/html").end(text);
    if (request.method === "POST" && fields.get("csrf") === null && request.url === "/join")
      return void response.writeHead(403).end();
    if (request.url === "/join")
      return void (request.method === "POST"
        ? to("/", `who=${fields.get("login")}; HttpOnly`)
        : page(
            '<form method="post"><input name="csrf" type="hidden" value="abc"><input name="login"><input name="pw" type="password"><input name="password"></form>',
          ));
    if (who === "") return void response.writeHead(401).end();
    const [, id, what] = /^\/cards\/(\d+)(?:\/(\w+))?$/.exec(request.url!) ?? [];
    if (request.url === "/cards" && request.method === "POST") {
      rows.set(rows.size + 1, { of: who, text: fields.get("front") ?? "" });
      return void to("/cards");
    }
    if (request.url === "/cards")
      return void page(
        [...rows]
          .filter(([, row]) => row.of === who)
          .map(([number, { text }]) => `<a href="/cards/${number}">${text}</a>`)
          .join(""),
      );
    const row = rows.get(Number(id));
    const mayAct = what === "delete" ? openDelete : openChange;
    if (!row || (row.of !== who && !(request.method === "POST" && mayAct)))
      return void response.writeHead(404).end();
    if (what === "delete") rows.delete(Number(id));
    else if (request.method === "POST") row.text = fields.get("front") ?? row.text;
    return void page(row.text);
  };
  return (request, response) => void answer(request, response);
}

const FORMS = `
  app.get("/join", show); app.post("/join", join);
  const page = '<input type="password">';
  app.post("/cards", (request) => keep(request.body.front));
  app.get("/cards", list); app.get("/cards/:id", one);
  app.post("/cards/:id", (request) => change(request.body.front));
  app.post("/cards/:id/delete", remove);`;

describe("with two accounts, access to another's rows:", () => {
  it("none, in an app of forms that checks the owner", async () => {
    // The sources have no field of that name, so the form defines what is sent.
    const sources = FORMS.replaceAll("/join", "/register");
    const answer = formApp();
    const renamed: RequestListener = (request, response) => {
      request.url = request.url!.replace("/register", "/join");
      answer(request, response);
    };
    expect(await tryOwnedRows(renamed, sources)).toEqual({ found: [], unchecked: [] });
  });

  it("a form that deletes or changes without a check", async () => {
    const where = async (answer: RequestListener) =>
      (await tryOwnedRows(answer, FORMS)).found.map((one) => `${one.title} ${one.where}`);
    expect(await where(formApp({ openDelete: true }))).toEqual([
      "One signed-in person can delete what another has written. POST /cards/:id/delete",
    ]);
    expect(await where(formApp({ openChange: true }))).toEqual([
      "One signed-in person can change what another has written. POST /cards/:id",
    ]);
  });
});

/** Returns the caller's rows as JSON, and others' through the open ways. */
function apiApp(open: "query" | "search" | "nested" | "export" | "none"): RequestListener {
  const people: string[] = [];
  const rows: { id: string; userId: number; title: string }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const who = people.indexOf(request.headers.authorization?.replace("Bearer ", "") ?? "") + 1;
    const { pathname, searchParams } = new URL(request.url!, "http://a");
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const json = (data: unknown, code = 200) =>
      void response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(data)); // prettier-ignore
    if (pathname === "/api/register" && text.startsWith("{")) {
      people.push(`token-of-person-${people.length}`);
      return json({ token: people.at(-1) }, 201);
    }
    if (who === 0) return json({}, 401);
    const rowsOf = (id: number) => rows.filter(({ userId }) => userId === id);
    if (pathname === "/api/trips" && request.method === "POST") {
      const { title } = JSON.parse(text) as { title: string };
      rows.push({ id: `t${rows.length}x`, userId: who, title });
      return json(rows.at(-1), 201);
    }
    const q = searchParams.get("q");
    if (pathname === "/api/trips/export") return json(open === "export" ? rows : rowsOf(who));
    if (pathname === "/api/trips/search")
      return json(
        (open === "search" ? rows : rowsOf(who)).filter(({ title }) => title.includes(q!)),
      );
    const [, id] = /^\/api\/users\/(\d+)\/trips$/.exec(pathname) ?? [];
    if (id !== undefined)
      return json(rowsOf(open === "nested" || Number(id) === who ? Number(id) : 0));
    const expected = open === "query" ? searchParams.get("userId") : null;
    if (pathname === "/api/trips") return json(rowsOf(Number(expected ?? who)));
    return json({}, 404);
  };
  return (request, response) => void answer(request, response);
}

it.each([
  ["query", "GET /api/trips?userId="],
  ["search", "GET /api/trips/search?q="],
  ["nested", "GET /api/users/:id/trips"],
  ["export", "GET /api/trips/export"],
  ["none"],
] as const)(
  "another's rows are asked for by who it is, by a word and as a file: %s",
  async (open, ...expected) => {
    const sources = `
    app.post("/api/register", (q) => make(q.body.email, q.body.password));
    app.post("/api/trips", (q) => keep(q.body.title)); app.get("/api/trips", (q) => of(q.query.userId ?? me));
    app.get("/api/users/:id/trips", of); app.get("/api/trips/export", all);
    app.get("/api/trips/search", (req) => { const { q } = req.query; });`;
    const { found, unchecked } = await tryOwnedRows(apiApp(open), sources);
    expect(found.map(({ where }) => where)).toEqual(expected);
    expect(unchecked).toEqual([]);
  },
);

it("a session cookie that scripts can read is reported", async () => {
  const answer = formApp();
  const renamed: RequestListener = (request, response) => {
    request.headers.cookie = request.headers.cookie?.replace("session", "who");
    const set = response.writeHead.bind(response);
    response.writeHead = ((status: number, headers: Record<string, string> = {}) => {
      const cookie = headers["set-cookie"]?.replace(/^who=(\w+); HttpOnly/, "session=$1; Path=/");
      return set(status, { ...headers, ...(cookie && { "set-cookie": cookie }) });
    }) as typeof response.writeHead;
    answer(request, response);
  };
  const { found } = await tryOwnedRows(renamed, FORMS);
  expect(found.map(({ severity, title, where }) => `${severity} ${title} ${where}`)).toEqual([
    "minor Scripts of the page can read the cookie that says who is signed in. /join session",
  ]);
});

describe("reports what could not be tried:", () => {
  it("no way to register, none that succeeds, or nothing that can be written", async () => {
    const refuse: RequestListener = (_, response) => void response.writeHead(403).end();
    const routesIn = async (answer: RequestListener, text: string) =>
      (await tryOwnedRows(answer, text)).unchecked;
    expect(await routesIn(refuse, 'page = `<input name="user"><input type="password">`')).toEqual([
      expect.stringMatching(/no way to make an account was found/),
    ]);
    expect(await routesIn(refuse, 'app.post("/api/register", (r) => r.body.password)')).toEqual([
      expect.stringMatching(/^No two accounts could be made at \/api\/register/),
    ]);
    const only = FORMS.replace('app.post("/cards", ', "");
    expect(await routesIn(formApp(), only)).toEqual([
      expect.stringMatching(/nothing was found that one of them can write/),
    ]);
  });

  it("finds admin actions that anyone can perform, in apps without accounts too", async () => {
    const text = `app.get("/", home); app.post("/admin/login", enter);
      app.post("/admin/products", (request) => keep(request.body.title)); app.delete("/api/admin/products/:id", remove);
      app.post("/admin/products/:id/hide", hide);`;
    expect(tellsPeopleApart([{ path: "server.js", text }])).toBe(true);
    const where = async (answer: RequestListener) =>
      (await tryOwnedRows(answer, text)).found.map((one) => `${one.title} ${one.where}`);
    const open: RequestListener = ({ method, url }, response) =>
      void (method === "DELETE"
        ? response.writeHead(204).end()
        : method === "GET"
          ? response.writeHead(404).end()
          : url === "/admin/products"
            ? response.setHeader("content-type", "application/json").end('{"id":1,"title":"gate"}')
            : url?.endsWith("/hide")
              ? response.writeHead(303, { location: "/admin" }).end()
              : response.writeHead(404).end());
    const title = "An admin action is done for anybody, without a sign-in.";
    expect(await where(open)).toEqual([
      `${title} POST /admin/products`,
      `${title} DELETE /api/admin/products/:id`,
      `${title} POST /admin/products/:id/hide`,
    ]);
    for (const shut of [
      (response: ServerResponse) => response.writeHead(401).end(),
      (response: ServerResponse) =>
        response.writeHead(302, { location: "/admin/login?next=/admin" }).end(),
      (response: ServerResponse) => response.writeHead(302, { location: "/" }).end(),
      (response: ServerResponse) =>
        response.setHeader("content-type", "text/html").end('<input type="password">'),
      (response: ServerResponse) => response.end('{"error":"Not allowed"}'),
      (response: ServerResponse) => response.writeHead(422).end("{}"),
      // A page that ignores the method; that it is public is reported by another check.
      (response: ServerResponse, url = "") => response.writeHead(url === "/admin/products" ? 200 : 404).end("<h1>All</h1>"), // prettier-ignore
      // Every address gets the same page.
      (response: ServerResponse) =>
        response.setHeader("content-type", "text/html").end("<h1>Hi</h1>"),
    ])
      expect(await where(({ url }, response) => void shut(response, url))).toEqual([]);
  });

  it("an app without accounts gets no requests", async () => {
    const sources = [{ path: "server.js", text: 'app.post("/api/notes", keep)' }];
    expect(tellsPeopleApart(sources)).toBe(false);
    // A single password belongs to the operator.
    const door = 'page = `<form><input type="password" name="password"></form>`';
    expect(tellsPeopleApart([{ path: "server.js", text: door }])).toBe(false);
    const session = `import session from "express-session"; app.post("/login", (req, res) => { const { password } = req.body; });
      app.post("/orders", (req) => keep(req.body.email)); ${door.replace("<form>", '<form id="login">')}`;
    expect(tellsPeopleApart([{ path: "server.js", text: session }])).toBe(false);
    const answer: RequestListener = () => expect.unreachable();
    expect(await tryOwnedRows(answer, sources[0]!.text)).toEqual({ found: [], unchecked: [] });
  });
});

it("finds routes with methods and fields, below the routers on which they are mounted", () => {
  const found = (files: Record<string, string>) =>
    findMethods(Object.entries(files).map(([path, text]) => ({ path, text }))).map(
      ({ method, path, fields }) => `${method} ${path} ${fields.join(",")}`.trim(),
    );
  expect(
    found({
      "src/server.ts": `import { notes } from "./routes/notes.ts"; app.use("/api", api); app.use("/api/notes", requireUser, notes);`,
      "src/routes/notes.ts": `notes.post("/", (c) => { const { title, text } = await c.req.json(); }); notes.delete("/:id", remove);`,
    }),
  ).toEqual(["POST /api/notes title,text", "DELETE /api/notes/:id"]);
  expect(
    found({
      "app/api/cards/[id]/route.ts": "export async function DELETE() {}",
      "server/api/tags.post.ts": "const { name } = await readBody(event)",
      "src/List.tsx":
        "fetch(`/api/rows/${id}`, { method: 'PATCH', body: JSON.stringify({ done }) })",
      "views/new.html": '<form method="post" action="/things"><input name="size"></form>',
      "hono.ts": 'app.get("/x/:id{[0-9]+}", a)',
      "plain.js": `if (method === "PUT" && url.pathname === "/me") {}`,
      "x.test.ts": 'app.post("/never")',
    }),
  ).toEqual([
    "DELETE /api/cards/:id",
    "POST /api/tags name",
    "PATCH /api/rows/:id done",
    "POST /things size",
    "GET /x/:id",
    "PUT /me",
  ]);
});

it("finds routes that frameworks derive from file names", () => {
  const found = (path: string, text: string) =>
    findMethods([{ path, text }]).map(({ method, path: at, fields }) => `${method} ${at} ${fields.join(",")}`.trim()); // prettier-ignore
  for (const [path, text, ...expected] of [
    ["app/api/notes/route.ts", "export const GET = all((q) => 1); export async function POST(q) { const { title } = await q.json(); }", "GET /api/notes title", "POST /api/notes title"],
    ["src/app/api/notes/[id]/route.ts", "export { handler as GET, handler as DELETE }", "GET /api/notes/:id", "DELETE /api/notes/:id"],
    ["src/routes/(app)/notes/[id]/+server.ts", "export const PATCH: RequestHandler = async () => {}", "PATCH /notes/:id"],
    ["src/pages/api/notes/[id].ts", "export const DELETE: APIRoute = async () => {}", "DELETE /api/notes/:id"],
    ["pages/api/tags.ts", 'export default (req, res) => { if (req.method === "POST") add(req.body.name) }', "POST /api/tags name"],
    ["server/api/notes/index.post.ts", "const { title } = await readBody(event)", "POST /api/notes title"],
    ["server/api/people.ts", "export default defineEventHandler(() => all())", "GET /api/people"],
    ["server/api/words.ts", "const { word } = await readBody(event)", "GET /api/words word", "POST /api/words word"],
    ["server/routes/feed/[id].patch.ts", "", "PATCH /feed/:id"],
    ["app/routes/_shell.notes.$id.tsx", "export async function loader() {} export const action = async () => {}", "GET /notes/:id", "POST /notes/:id"],
  ] as const)
    expect(found(path, text)).toEqual(expected);
}); // prettier-ignore

it("finds routes of Python frameworks, below blueprints and routers, with the fields of models", () => {
  const found = findMethods([
    {
      path: "app/main.py",
      text: 'from .routers import notes\napp.include_router(notes.router, prefix="/api")\n@app.get("/")\ndef root():\n    return {}\n',
    },
    {
      path: "app/routers/notes.py",
      text: `router = APIRouter(prefix="/notes", tags=["notes"])
class NoteIn(BaseModel):
    title: str
    content: str = ""

@router.post("", status_code=201)
def create(note: NoteIn): ...
@router.delete("/{note_id}")
def remove(note_id: int): ...
`,
    },
    {
      path: "shop.py",
      text: `bp = Blueprint("shop", __name__, url_prefix="/shop")
@bp.route("/orders/<int:order_id>/pay", methods=["POST"])
def pay(order_id): ...
@app.route("/register", methods=("GET", "POST"))
def register():
    name = request.form["username"]
    word = request.form.get("password")
`,
    },
    { path: "test_shop.py", text: '@app.get("/never")' },
  ]).map(({ method, path, fields }) => `${method} ${path} ${fields.join(",")}`.trim());
  expect(found).toEqual([
    "GET /",
    "DELETE /api/notes/:id",
    "POST /api/notes title,content",
    "POST /shop/orders/:id/pay username,password",
    "GET /register username,password",
    "POST /register username,password",
  ]);
});

it("sends fields of a schema that is defined elsewhere", () => {
  const [route] = findMethods([
    { path: "schemas.ts", text: "export const createNote = z.object({\n  title: z.string(),\n  tag: z.enum(['a']),\n});" },
    { path: "server.ts", text: 'app.post("/api/notes", zValidator("json", createNote), keep);' },
  ]); // prettier-ignore
  expect(route?.fields).toEqual(["title", "tag"]);
});

it("sources and pages designed to be slow do not block the server", async () => {
  const texts = [
    "app.post(".repeat(60_000),
    `fetch("/a", {${"method: ".repeat(50_000)}`,
    "<form ".repeat(80_000),
    `pathname === "/a"`.repeat(20_000),
    `import { ${"a, ".repeat(100)}} from "./x"; `.repeat(1_000),
    `.use("/a", ${"b(), ".repeat(100_000)}`,
    "/^\\/".repeat(80_000),
    "const {".repeat(60_000),
  ];
  findMethods(texts.map((text, at) => ({ path: `${at}.js`, text })));
  const page = `<form>${'<input name="password" '.repeat(20_000)}`;
  const busy: RequestListener = (_, response) =>
    void response.setHeader("content-type", "text/html").end(page);
  const { unchecked } = await tryOwnedRows(busy, 'app.post("/register", (r) => r.body.password)');
  expect(unchecked).toHaveLength(1);
});
