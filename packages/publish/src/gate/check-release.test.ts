import { randomBytes } from "node:crypto";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { askOver } from "./strangers/ask.ts";
import { checkRelease } from "./check-release.ts";
import { gateOf } from "./gate-of.ts";
import { findRoutes } from "./routes/find-routes.ts";
import { randomText, SECRETS } from "./planted.test-support.ts";
import type { GateFile, NamedValue } from "./types.ts";

type Page = string | ((response: ServerResponse, origin: string | undefined) => void);

const SAFE = { "x-content-type-options": "nosniff", "x-frame-options": "SAMEORIGIN" };

/** An app that answers these paths, each named in its sources, and all others as missing. */
function app(pages: Record<string, Page>, fallback?: Page): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url!, "http://a");
    const page = pages[pathname] ?? fallback;
    for (const [name, value] of Object.entries(SAFE)) response.setHeader(name, value);
    if (page === undefined) return void response.writeHead(404).end("Not found");
    if (typeof page === "function") return page(response, request.headers.origin);
    const isJson = /^[[{]/.test(page);
    response.setHeader("content-type", isJson ? "application/json" : "text/html");
    response.end(page);
  };
}

async function gate(
  pages: Record<string, Page>,
  {
    fallback,
    own = [],
    firstPageMB = 2,
    manifest,
    sources,
  }: {
    fallback?: Page;
    own?: NamedValue[];
    firstPageMB?: number;
    manifest?: string;
    /** Replaces the generated file that names each path. */
    sources?: GateFile[];
  } = {},
) {
  const server = createServer(app(pages, fallback)).listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const text = Object.keys(pages)
      .map((path) => `app.get("${path}", answer);`)
      .join("\n");
    return await checkRelease(
      askOver(async () => connect(port, "127.0.0.1")),
      {
        gate: gateOf([], []),
        sources: [
          ...(sources ?? [{ path: "server.js", text }]),
          ...(manifest === undefined ? [] : [{ path: "package.json", text: manifest }]),
        ],
        own,
        isApp: true,
        firstPageMB,
        signal: new AbortController().signal,
      },
    );
  } finally {
    server.close();
  }
}

const titles = async (...args: Parameters<typeof gate>) =>
  (await gate(...args)).findings.map(
    ({ severity, title, where }) => `${severity} ${title} ${where}`,
  );

const html = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>A</title>${head}</head><body>${body}</body></html>`;
const HOME = html("<h1>Hello</h1>");
const json =
  (data: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response
      .writeHead(200, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(data));
const status =
  (code: number, headers: Record<string, string> = {}): Page =>
  (response) =>
    void response.writeHead(code, headers).end("{}");

describe("an app with a planted fault", () => {
  it("a table of people that anyone can read", async () => {
    const users = [{ id: 1, name: "Ada", email: "ada@lovelace.org" }];
    for (const data of [users, { users }, { data: { rows: users } }])
      expect(await titles({ "/": HOME, "/api/users": json(data) })).toEqual([
        "serious Anybody can read people's e-mail addresses without signing in. /api/users",
      ]);
    expect(await titles({ "/": HOME, "/users/1": json(users[0]) })).toHaveLength(1);
  });

  it("a route that returns passwords", async () => {
    const rows = [{ name: "Ada", passwordHash: "$2b$10$abc" }];
    const [title = "", ...others] = await titles({ "/": HOME, "/api/members": json({ rows }) });
    expect(others).toEqual([]);
    expect(title).toBe("serious Anybody can read “passwordHash” without signing in. /api/members");
    expect(title).not.toContain("$2b$");
    for (const name of [
      "password_digest",
      "encryptedPassword",
      "client_secret",
      "totpSecret",
      "session_token",
      "privateKey",
    ])
      // prettier-ignore
      expect(await titles({ "/": HOME, "/api/members": json([{ [name]: "x1" }]) })).toEqual([
        `serious Anybody can read “${name}” without signing in. /api/members`,
      ]);
  });

  it("people in a list of addresses, each under an id, or by a private field", async () => {
    const people = (route: string) =>
      `serious Anybody can read people's e-mail addresses without signing in. ${route}`;
    const [ada, grace] = [
      { name: "Ada", email: "ada@lovelace.org" },
      { name: "G", email: "g@navy.mil" },
    ];
    for (const data of [[ada.email, grace.email], { u1: ada, u2: grace }, [{ login: ada.email }]])
      expect(await titles({ "/": HOME, "/api/people": json(data) })).toEqual([
        people("/api/people"),
      ]);
    const phones = json([{ name: "Ada", phone: "+44 20 7946 0001" }]);
    expect(await titles({ "/": HOME, "/api/patients": phones })).toEqual([
      "serious Anybody can read “phone” without signing in. /api/patients",
    ]);
    expect(await titles({ "/": HOME, "/api/stores": phones })).toEqual([]);
    const purses = json([{ name: "Ada", address: "0x52908400098527886E0F7030069857D2E4169EE7", phone: null }]); // prettier-ignore
    expect(await titles({ "/": HOME, "/api/accounts": purses })).toEqual([]);
    const lines: Page = (response) =>
      void response
        .writeHead(200, { "content-type": "text/plain" })
        .end(`${ada.email}\n${grace.email}\n`);
    expect(await titles({ "/": HOME, "/members/export": lines })).toEqual([
      people("/members/export"),
    ]);
    // A contact address in an announcement is public; that of a customer is not.
    const jobs = json([{ title: "Cook", recruiterEmail: "ada@tea.org" }]);
    expect(await titles({ "/": HOME, "/api/jobs": jobs })).toEqual([]);
    expect(await titles({ "/": HOME, "/api/orders": jobs })).toEqual([people("/api/orders")]);
  });

  it("a page that lists people with their addresses", async () => {
    const rows = ["ada@lovelace.org", "grace@hopper.org"].map((one) => `<td>${one}</td>`).join("");
    expect(await titles({ "/": HOME, "/customers": html(`<table>${rows}</table>`) })).toEqual([
      "serious Anybody can read people's e-mail addresses without signing in. /customers",
    ]);
  });

  it("people with their addresses in a downloadable file", async () => {
    const rows = "name,email\nAda,ada@lovelace.org\nGrace,grace@hopper.org\n";
    const file =
      (text: string): Page =>
      (response) =>
        void response.writeHead(200, { "content-type": "text/csv; charset=utf-8" }).end(text);
    expect(await titles({ "/": HOME, "/api/users/export": file(rows) })).toEqual([
      "serious Anybody can read people's e-mail addresses without signing in. /api/users/export",
    ]);
    const prices = file("name,price,asked at\nTea,3,shop@tea.com\nCoffee,4,shop@tea.com\n");
    expect(await titles({ "/": HOME, "/api/prices": prices })).toEqual([]);
  });

  it("people in a static file", async () => {
    const text = "name,email\nAda,ada@lovelace.org\nGrace,grace@hopper.org\n";
    const file: Page = (response) => void response.end(text);
    const titlesAt = (path: string) =>
      titles({ "/": HOME, "/newsletter.csv": file, "/data/customers-2026.json": file, "/orders.csv": file }, { sources: [{ path, text }] }); // prettier-ignore
    const people = "serious Anybody can read people's e-mail addresses without signing in.";
    expect(await titlesAt("public/orders.csv")).toEqual([`${people} /orders.csv`]);
    expect(await titlesAt("data/customers-2026.json")).toEqual([
      `${people} /data/customers-2026.json`,
    ]);
    expect(await titlesAt("orders.csv")).toEqual([`${people} /orders.csv`]);
    // Example data, and files that are not served.
    for (const path of ["tests/orders.csv", "public/users.json"])
      expect(await titlesAt(path)).toEqual([]);
    expect(await titles({ "/": HOME }, { sources: [{ path: "public/orders.csv", text }] })).toEqual([]); // prettier-ignore
  });

  it("a database that anyone can download", async () => {
    const database: Page = (response) =>
      void response
        .writeHead(200, { "content-type": "application/octet-stream" })
        .end(Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(4_080)]));
    expect(await titles({ "/": HOME, "/backup": database })).toEqual([
      "serious Anybody can download the app's database. /backup",
    ]);
  });

  it("a server without a package.json that serves its own files, or its database", async () => {
    const text = 'createServer(a).listen(1); new DatabaseSync("./data/shop.db")';
    const sources = [{ path: "server.js", text }];
    const served: Page = (response) => void response.end(text);
    expect(await titles({ "/": HOME, "/server.js": served }, { sources })).toEqual([
      "serious Anybody can download the app's own files. /server.js",
    ]);
    const database: Page = (response) =>
      void response.end(Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(4_080)]));
    for (const path of ["/data/shop.db", "/shop.db"])
      expect(await titles({ "/": HOME, [path]: database }, { sources })).toEqual([
        `serious Anybody can download the app's database. ${path}`,
      ]);
    // Scripts of its pages are public.
    const script = [{ path: "app.js", text: "document.title = 1;" }];
    const shown: Page = (response) => void response.end(script[0]!.text);
    expect(await titles({ "/": HOME, "/app.js": shown }, { sources: script })).toEqual([]);
  });

  it("a server that hands out its own files", async () => {
    const manifest = JSON.stringify({ scripts: { start: "node server.js" } });
    const pages = { "/": HOME, "/package.json": manifest };
    expect(await titles(pages, { manifest })).toEqual([
      "serious Anybody can download the app's own files. /package.json",
    ]);
    expect(await titles({ "/": HOME, "/package.json": '{"name":"another"}' }, { manifest })).toEqual([]); // prettier-ignore
  });

  it("a secret in an answer", async () => {
    const value = randomText(30, 31);
    const own = [{ name: "MAIL_PASSWORD", value }];
    expect(await titles({ "/": HOME, "/debug": json({ env: { a: value } }) }, { own })).toEqual([
      "serious The value of MAIL_PASSWORD is in what is published. /debug:1",
    ]);
  });

  it("a public table at a router in another file", async () => {
    const sources = [
      { path: "server.js", text: 'import users from "./routes/users.js"; app.use("/v1", users);' },
      { path: "routes/users.js", text: 'router.get("/users", list); router.post("/users", add);' },
    ];
    const users = json([{ id: 1, email: "ada@lovelace.org" }]);
    expect(await titles({ "/": HOME, "/v1/users": users }, { sources })).toEqual([
      "serious Anybody can read people's e-mail addresses without signing in. /v1/users",
    ]);
  });

  it("a public table where routes are compared by segment, or in another language", async () => {
    const users = json([{ id: 1, email: "ada@lovelace.org" }]);
    const findingsAt = (path: string) => [
      `serious Anybody can read people's e-mail addresses without signing in. ${path}`,
    ];
    const by = (path: string, files: Record<string, string>) =>
      titles(
        { "/": HOME, [path]: users },
        { sources: Object.entries(files).map(([at, text]) => ({ path: at, text })) },
      );
    const parts =
      'switch (parts[0]) { case "api": switch (parts[1]) { case "customers": list(); } }';
    expect(await by("/api/customers", { "server.js": parts })).toEqual(
      findingsAt("/api/customers"),
    );
    const flask = {
      "app.py": 'app.register_blueprint(crm, url_prefix="/crm")',
      "crm.py": '@crm.route("/leads/export")',
    };
    expect(await by("/crm/leads/export", flask)).toEqual(findingsAt("/crm/leads/export"));
    const fastapi = {
      "main.py": 'app.include_router(desk.router, prefix="/api/v1")',
      "routers/desk.py": 'router = APIRouter(prefix="/desk")\n@router.get("/{id}/tea")',
    };
    expect(await by("/api/v1/desk/1/tea", fastapi)).toEqual(findingsAt("/api/v1/desk/1/tea"));
    const django = {
      "shop/urls.py": 'urlpatterns = [path("shop/", include("till.urls"))]',
      "till/urls.py": 'urlpatterns = [path("customers/<int:pk>/", views.one)]',
    };
    expect(await by("/shop/customers/1", django)).toEqual(findingsAt("/shop/customers/1"));
    const anything = 'app.get("/api/:table", (q, s) => s.json(tables[q.params.table])); const tables = { users, tea };'; // prettier-ignore
    expect(await by("/api/users", { "server.js": anything })).toEqual(findingsAt("/api/users"));
    // A published API description is trusted.
    const described = json({ paths: { "/x/people/{id}": { get: {} }, "/x/people": { post: {} } } });
    const sources = [{ path: "main.py", text: "app = FastAPI()" }];
    const pages = { "/": HOME, "/openapi.json": described, "/x/people/1": users };
    expect(await titles(pages, { sources })).toEqual(findingsAt("/x/people/1"));
  });

  it("an admin page without a sign-in, and admin data", async () => {
    expect(
      await titles({ "/": HOME, "/admin": html("<h1>All orders</h1><button>Delete</button>") }),
    ).toEqual(["serious A page called admin opens without a sign-in. /admin"]);
    for (const path of [
      "/_admin",
      "/site-admin/stock",
      "/adminpanel",
      "/back-office",
      "/admin.html",
    ])
      expect(await titles({ "/": HOME, [path]: html("<h1>All orders</h1>") })).toHaveLength(1);
    for (const path of ["/badminton", "/administer-first-aid"])
      expect(await titles({ "/": HOME, [path]: html("<h1>Courts</h1>") })).toEqual([]);
    // A redirect from /admin to /admin/ is followed; a redirect to a sign-in is no page.
    const led = { "/": HOME, "/admin/": html("<h1>All orders</h1>"), "/sign-in": HOME };
    const sources = [{ path: "a.js", text: 'app.get("/admin", a)' }];
    const slash = status(308, { location: "http://localhost/admin/" });
    expect(await titles({ ...led, "/admin": slash }, { sources })).toHaveLength(1);
    for (const location of ["/sign-in", "https://elsewhere.example/admin/", "/"])
      expect(await titles({ ...led, "/admin": status(302, { location }) }, { sources })).toEqual(
        [],
      );
    // A link in the shared layout is no sign-in.
    const nav = '<nav><a href="/login">Log in</a></nav>';
    const shop = { "/": html(nav), "/login": HOME };
    const orders = html(`${nav}<h1>All orders</h1>`);
    expect(await titles({ ...shop, "/admin": orders })).toHaveLength(1);
    for (const words of ["Access denied", "You need to be a moderator to see this page."])
      expect(await titles({ ...shop, "/admin": html(`${nav}<h1>${words}</h1>`) })).toEqual([]);
    // For a page drawn by a script, the script decides.
    const drawn = html('<div id="root"></div><script src="/admin.js"></script>');
    const pages = { "/": HOME, "/admin": drawn };
    const script =
      (text: string): Page =>
      (response) =>
        void response.end(text);
    expect(await titles({ ...pages, "/admin.js": script("show(loginForm)") })).toEqual([]);
    expect(await titles({ ...pages, "/admin.js": script("orders()") })).toHaveLength(1);
    expect(await titles({ "/": HOME, "/api/admin/stats": json({ sold: 3 }) })).toEqual([
      "serious An admin address answers without a sign-in. /api/admin/stats",
    ]);
  });

  it("readable by any site in the name of its users", async () => {
    const open = (response: ServerResponse, origin = "") =>
      void response
        .writeHead(200, {
          "content-type": "application/json",
          "access-control-allow-origin": origin,
          "access-control-allow-credentials": "true",
        })
        .end('{"mine":1}');
    const framed: Page = (response, origin) =>
      origin === "null" ? open(response, origin) : json({})(response);
    expect(await titles({ "/": HOME, "/api/me": framed })).toEqual([
      "serious Any other site can read it in the name of whoever is signed in. /api/me",
    ]);
    expect(await titles({ "/": HOME, "/api/me": open })).toEqual([
      "serious Any other site can read it in the name of whoever is signed in. /api/me",
    ]);
  });

  it("a secret in the bundle only, by its format or its value", async () => {
    const value = randomText(30, 30);
    const bundle: Page = (response) =>
      void response
        .writeHead(200, { "content-type": "text/javascript", "content-encoding": "gzip" })
        .end(gzipSync(`let a="${SECRETS["An Anthropic key"]}";\nlet b="${value}"`));
    expect(
      await titles(
        {
          "/": html("", '<script type="module" src="/assets/a.js"></script>'),
          "/assets/a.js": bundle,
        },
        { own: [{ name: "MAIL_PASSWORD", value }] },
      ),
    ).toEqual([
      "serious The value of MAIL_PASSWORD is in what is published. /assets/a.js:2",
      "serious An Anthropic key is in what is published. /assets/a.js:1",
    ]);
  });

  it("a missing file that only a stylesheet, a srcset or a style names", async () => {
    const css =
      (text: string): Page =>
      (response) =>
        void response.writeHead(200, { "content-type": "text/css" }).end(text);
    const titled = await titles({
      "/": html(
        `<link rel="stylesheet" href="/css/a.css"><style>b { background: url("/inline.png") }</style>`,
        `<img src="/cat.png" alt="" srcset="/cat.png 1x, /cat-2.png 2x"><video poster='/film.jpg'></video>
         <p style="background: url(&quot;/styled.png&quot;), url(#here), url(data:image/png;base64,aa)">`,
      ),
      "/cat.png": "cat",
      "/css/a.css": css(
        `@import "b.css"; /* url(/old.png) */ i { background: url(../paper.png) }
         @font-face { src: url(f.eot); src: url(f.woff2) format("woff2"), url(f.ttf) }`,
      ),
      "/css/b.css": css("u { cursor: url('hand.cur'), auto }"),
    });
    expect(titled.toSorted()).toEqual(
      ["/inline.png", "/cat-2.png", "/film.jpg", "/styled.png", "/paper.png", "/css/hand.cur"]
        .map((path) => `minor The page requests a file that does not exist. ${path}`)
        .toSorted(),
    );
  });

  it("a secret in a script loaded later, in a source map, or on a further page", async () => {
    const script =
      (text: string, type = "text/javascript"): Page =>
      (response) =>
        void response.writeHead(200, { "content-type": type }).end(text);
    const [ours, theirs, far] = ["An OpenAI key", "An Anthropic key", "A GitHub token"].map((kind) => SECRETS[kind]!); // prettier-ignore
    const titled = await titles({
      "/": html('<a href="/about">x</a><script src="/assets/a.js"></script>'),
      "/about": html('<script src="/about.js"></script>'),
      "/about.js": script(`let k = "${far}"`),
      "/assets/a.js": script(
        'import("./b.js"); deps(["assets/c.js", "gone.js"]);\n//# source' + "MappingURL=a.js.map",
      ),
      "/assets/b.js": script(`let k = "${ours}"`),
      "/assets/c.js": script('import("./d.js")'),
      "/assets/d.js": script(`let k = "${theirs}"`),
      "/assets/a.js.map": script(`{"sourcesContent":["let k = '${SECRETS["An xAI key"]}'"]}`, "application/json"), // prettier-ignore
    });
    expect(titled.toSorted()).toEqual([
      "serious A GitHub token is in what is published. /about.js:1",
      "serious An Anthropic key is in what is published. /assets/d.js:1",
      "serious An OpenAI key is in what is published. /assets/b.js:1",
      "serious An xAI key is in what is published. /assets/a.js.map:1",
    ]);
  });

  it("a missing picture on a further page", async () => {
    const about = html(
      '<object data="/gone.jpg"></object><link rel="stylesheet" href="/about.css">',
    );
    const css: Page = (response) =>
      void response.writeHead(200, { "content-type": "text/css" }).end("");
    expect(
      await titles({ "/": html('<a href="/about">x</a>'), "/about": about, "/about.css": css }),
    ).toEqual(["minor The page requests a file that does not exist. /gone.jpg"]);
  });

  it("a dead link, and a missing picture without alternative text", async () => {
    expect(
      await titles({ "/": html('<a href="/about">About</a><img src="cat.png" width=3>') }),
    ).toEqual([
      "minor A picture has no text for those who cannot see it. / cat.png",
      "minor The page requests a file that does not exist. /cat.png",
      "minor A link leads to a page that does not exist. /about",
    ]);
  });

  it("a link to a missing anchor", async () => {
    const about = html(
      '<h2 id="crew">Crew</h2><a name="old">Old</a><p id="R&amp;D"></p><p id=Größe>',
    );
    const links = ["#team", "/about#crew", "/about#old", "/about#gone", "/about#R&amp;D", "/about#Gr%C3%B6%C3%9Fe"]; // prettier-ignore
    const none = ["#", "#top", "#/x", "#!x", "#tab=1", "/about#:~:text=Crew"];
    const home = (head = "") =>
      html([...links, ...none].map((href) => `<a href="${href}">x</a>`).join(""), head);
    const gone = (at: string) => `minor A link leads to a place that its page does not have. ${at}`;
    expect(await titles({ "/": home(), "/about": about })).toEqual([
      gone("/#team"),
      gone("/about#gone"),
    ]);
    // A script that only adds listeners creates no anchor; one that draws, or is unknown, may.
    const scripted = home('<script src="/a.js"></script>');
    const listens = 'button.addEventListener("click", () => menu.classList.toggle("open"))';
    const draws = "document.body.innerHTML = page";
    const buttons =
      '<a href="#cart" onclick="open()">x</a><a href="#m" data-bs-toggle="modal">x</a>';
    expect(await titles({ "/": html(buttons) })).toEqual([]);
    const titlesOf = (script: string) =>
      titles({ "/": scripted, "/about": about, "/a.js": script });
    expect(await titlesOf(listens)).toEqual([gone("/#team"), gone("/about#gone")]);
    expect(await titlesOf(draws)).toEqual([gone("/about#gone")]);
    const far = home('<script src="https://far.example/a.js"></script>');
    expect(await titles({ "/": far, "/about": about })).toEqual([gone("/about#gone")]);
  });

  it("a page that is too heavy, by its transfer size", async () => {
    const big: Page = (response) => void response.writeHead(200).end(Buffer.alloc(3_200_000, 1));
    expect(await titles({ "/": html('<img src="/big.jpg" alt="">'), "/big.jpg": big })).toEqual([
      "minor The first page weighs 3.1 MB, and its budget is 2 MB. /big.jpg (3.1 MB)",
    ]);
    const packed: Page = (response) =>
      void response
        .writeHead(200, { "content-encoding": "gzip" })
        .end(gzipSync(Buffer.alloc(3_200_000, 1)));
    expect(await titles({ "/": html('<img src="/big.svg" alt="">'), "/big.svg": packed })).toEqual(
      [],
    );
  });

  it("a page with a background that is too heavy by itself", async () => {
    const big: Page = (response) => void response.writeHead(200).end(Buffer.alloc(3_200_000, 1));
    const painted = html("", '<style>body { background: url("/big.jpg") }</style>');
    expect(await titles({ "/": painted, "/big.jpg": big })).toEqual([
      "minor The first page weighs 3.1 MB, and its budget is 2 MB. /big.jpg (3.1 MB)",
    ]);
  });

  it.each([
    [4, []],
    [0.5, ["minor The first page weighs 3.1 MB, and its budget is 0.5 MB. /big.jpg (2.3 MB), /small.js (0.8 MB)"]], // prettier-ignore
  ])("a page with a budget of its own, %d MB", async (firstPageMB, expected) => {
    const pageOf =
      (bytes: number): Page =>
      (response) =>
        void response.writeHead(200).end(Buffer.alloc(bytes, 1));
    const page = html('<img src="/big.jpg" alt=""><script src="/small.js"></script>');
    const pages = { "/": page, "/big.jpg": pageOf(2_400_000), "/small.js": pageOf(800_000) };
    expect(await titles(pages, { firstPageMB })).toEqual(expected);
  });

  it("a first page behind a redirect", async () => {
    const cookie = { location: "http://localhost/sign-in", "set-cookie": "sid=1; Path=/" };
    const titled = await titles({
      "/": status(302, cookie),
      "/sign-in": html('<script src="app.js"></script><img src="/gone.png" alt="">'),
      "/app.js": (response) =>
        void response
          .writeHead(200, { "content-type": "text/javascript" })
          .end(`k("${SECRETS["An OpenAI key"]}")`),
    });
    expect(titled).toEqual([
      "serious An OpenAI key is in what is published. /app.js:1",
      "minor The page requests a file that does not exist. /gone.png",
      "minor Scripts of the page can read the cookie that says who is signed in. / sid",
    ]);
    for (const location of ["https://elsewhere.example/", "/"])
      expect(await titles({ "/": status(302, { location }) })).toEqual([]);
  });

  it("missing headers, and a cookie that scripts can read", async () => {
    const bare: Page = (response) => {
      for (const name of Object.keys(SAFE)) response.removeHeader(name);
      response.writeHead(200, { "content-type": "text/html", "set-cookie": "session=1; Path=/" });
      response.end("<!doctype html><title>A</title><html><p>");
    };
    const { findings } = await gate({ "/": bare });
    expect(findings.map(({ check, severity, where }) => [check, severity, where])).toEqual([
      ["page", "minor", "/"],
      ["headers", "minor", "/"],
      ["headers", "minor", "/ session"],
    ]);
    expect(findings[1]!.todo).toContain("X-Content-Type-Options: nosniff and Content-Security");
  });

  it("an address at which the connection breaks", async () => {
    const broken: Page = (response) => void response.destroy();
    expect(await titles({ "/": HOME, "/api/orders": broken })).toEqual([
      "minor An address of the app does not answer. /api/orders",
    ]);
  });
});

describe("reports nothing in a correct app:", () => {
  /** Different in each answer, like a nonce or a form's token. */
  const fresh: Page = (response) => {
    const [nonce, csrf] = [randomBytes(8).toString("base64"), randomBytes(20).toString("hex")];
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      html(`<script nonce="${nonce}">a()</script>`, `<meta name="csrf" content="${csrf}">`),
    );
  };
  it.each<[string, Record<string, Page>, Page?]>([
    [
      "what is somebody's wants a sign-in",
      {
        "/": HOME,
        "/api/users": status(401),
        "/api/admin/stats": status(403),
        "/admin": status(302, { location: "/sign-in" }),
      },
    ],
    [
      "the admin's page is the form to sign in",
      { "/": HOME, "/admin": html('<form><input type="password" name="p"></form>') },
    ],
    ["one page answers everything", { "/": HOME, "/admin": HOME, "/api/nothing": HOME }, HOME],
    ["one page answers everything, each time with another nonce", { "/": fresh, "/admin": fresh }, fresh], // prettier-ignore
    [
      "what Firebase has pages know",
      { "/": HOME, "/api/config": json({ apiKey: `AIza${randomText(35, 40)}`, authDomain: "shop.firebaseapp.com" }) }, // prettier-ignore
    ],
    [
      "what a search has pages know, and a password that is made anew for whoever asks",
      {
        "/": HOME,
        "/api/config": json({ search: { appId: "TEA", apiKey: randomText(32, 41), indexName: "tea" } }), // prettier-ignore
        "/api/password": (response) =>
          json({ password: randomBytes(12).toString("base64") })(response),
      },
    ],
    [
      "people who are to be written to, and orders that are told to nobody",
      {
        "/": HOME,
        "/members": html("<p>ada@lovelace.org</p><p>grace@hopper.org</p>"),
        "/orders": html("<p>Write to shop@tea.org</p>"),
      },
    ],
    [
      "public data, with an address to write to",
      {
        "/": HOME,
        "/api/products": json([{ id: 1, title: "Tea", tokenCount: 3, secret: false }]),
        "/api/contact": json({ email: "hello@shop.org", hours: { from: 9, to: 5 } }),
      },
    ],
    [
      "other sites may read what is everybody's",
      { "/": HOME, "/api/products": json([{ id: 1 }], { "access-control-allow-origin": "*" }) },
    ],
    [
      "a stream of events, and one that is quiet at first",
      {
        "/": HOME,
        "/api/stream": (response) =>
          void response
            .writeHead(200, { "content-type": "text/event-stream" })
            .write("data: 1\n\n"),
        "/api/quiet": (response) =>
          response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
      },
    ],
    [
      "a film of many megabytes, and a picture far below, which are fetched when they are wanted",
      {
        "/": html('<video src="/film.mp4" controls></video><img loading=lazy src="/far.jpg" alt="">'), // prettier-ignore
        "/film.mp4": (response) => void response.writeHead(200).end(Buffer.alloc(9 * 1024 * 1024)),
        "/far.jpg": (response) => void response.writeHead(200).end(Buffer.alloc(3 * 1024 * 1024)),
      },
    ],
    [
      "what a session of nobody's is given anew each time",
      {
        "/": HOME,
        "/api/session": (response) =>
          json({ name: "Guest", sessionToken: randomBytes(16).toString("hex") })(response),
      },
    ],
    [
      "shops, a team and offices that are to be written to",
      {
        "/": HOME,
        "/api/stores": json([{ city: "Wien", email: "wien@shop.org" }]),
        "/api/team": json([{ name: "Ada", email: "ada@shop.org" }]),
        "/api/team/members": json([{ name: "Ada", email: "ada@shop.org" }]),
        "/api/events": json([{ title: "Tea", organiser: { name: "Club", email: "info@club.org" } }]), // prettier-ignore
      },
    ],
    [
      "what is asked for is only said again",
      { "/": HOME, "/api/admin/me": status(401) },
      (response) => {
        const { url } = response.req;
        const name = decodeURIComponent(url!.replace(/^.*\//, ""));
        if (url === "/package.json") return void response.writeHead(404).end();
        response.setHeader("content-type", "text/html");
        response.end(html(`<h1>${name}</h1><p>Nothing is called ${name}.</p>`));
      },
    ],
    [
      "what is called admin says only that nobody is signed in",
      {
        "/": HOME,
        "/api/admin/session": json({ authenticated: false, user: null }),
        "/api/admin/stats": json({ error: "Sign in first" }),
      },
    ],
    [
      "links to elsewhere, to itself and to what acts; what stands in scripts and comments",
      {
        "/": html(
          '<a href="#top">Top</a><a href="https://elsewhere.org/x">x</a><a href="mailto:a@b.org">m</a><a href="/logout">Out</a><a href="/about?x=1&amp;y=2">About</a><!-- <a href="/gone"> --><img alt src="data:image/png;base64,AAAA"><script>s = \'<a href="/gone">\'</script>',
        ),
        "/about": HOME,
        "/logout": (response) => void response.destroy(),
      },
    ],
  ])("%s", async (_, pages, fallback) => {
    expect(await gate(pages, fallback === undefined ? {} : { fallback })).toEqual({
      findings: [],
      unchecked: [],
    });
  });
});

it("an app whose answers are designed to be slow does not block the server", async () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const hostile = [
    "<!--".repeat(100_000),
    "<script>".repeat(60_000),
    `<${"a ".repeat(250_000)}`,
    "<a ".repeat(160_000),
  ];
  for (const text of hostile)
    expect(await titles({ "/": `<html lang="en">${text}`, "/api/deep": deep })).toEqual([]);
});

it("finds addresses as programs and frameworks declare them, and leaves out those with side effects", () => {
  const routesAt = (path: string, text = "") => findRoutes([{ path, text }]);
  expect(
    routesAt(
      "server.js",
      `app.get("/api/users/:id", a); router.use('/admin', b); if (url === "/internal/jobs") {}
       if (url.pathname.startsWith("/api/orders/")) {} case "/api/me": fetch("/api/rows?x=1");
       Bun.serve({ routes: { "GET /api/tea": c } }); app.post("/api/login"); app.get("/about");
       app.get("/api/logout"); app.get("/api/delete-all"); app.get(\`/api/\${name}\`)`,
    ),
  ).toEqual([
    "/api/users/1",
    "/api/tea",
    "/internal/jobs",
    "/admin",
    "/api/orders",
    "/api/me",
    "/api/rows",
  ]);
  expect(
    findRoutes([
      { path: "src/index.ts", text: 'import { api } from "./api"; app.route("/api", api);' },
      { path: "src/api/index.ts", text: 'export const api = new Hono(); api.get("/tea/:id", a);' },
    ]),
  ).toEqual(["/api/tea/1", "/api"]);
  expect(routesAt("src/app/(shop)/api/users/[id]/route.ts")).toEqual(["/api/users/1"]);
  expect(routesAt("app/admin/page.tsx")).toEqual(["/admin"]);
  expect(routesAt("pages/api/users/index.ts")).toEqual(["/api/users"]);
  expect(routesAt("src/routes/api/members/+server.ts")).toEqual(["/api/members"]);
  expect(routesAt("server/api/orders/index.get.ts")).toEqual(["/api/orders"]);
  const each: [string, string, ...string[]][] = [
    ["app.js", 'app.get(["/api/tea", "/api/cups"], a)', "/api/tea", "/api/cups"],
    [
      "app.ts",
      'app.get<Env>("/api/tea", a); app.on("GET", "/api/cups", b)',
      "/api/tea",
      "/api/cups",
    ],
    ["app.js", 'f.route({ url: "/api/tea", method: ["GET"] })', "/api/tea"],
    ["app.js", 'const routes = { "/api/tea": tea, "/site-admin": b }', "/api/tea", "/site-admin"],
    ["app.js", "if (/^\\/api\\/tea\\/?$/.test(path)) GET()", "/api/tea"],
    ["app.js", 'new Hono().basePath("/api").get("/tea", a)', "/api", "/api/tea"],
    ["app.js", 'f.register(tea, { prefix: "/api" }); const tea = (f) => f.get("/x", a)', "/api"],
    ["tea.ts", '@Controller("api/tea") class Tea { @Get() all() {} @Get("export") b() {} }', "/api/tea", "/api/tea/export"], // prettier-ignore
    ["app.py", '@app.route("/api/tea/<int:id>")', "/api/tea/1"],
    ["public/index.html", '<script>axios("/api/tea")</script>', "/api/tea"],
    ["app/routes.ts", 'route("users/:id", "./user.tsx")', "/users/1"],
    ["app/routes/_shell.users.$id.tsx", "", "/users/1"],
    ["src/routes/api/tea.ts", "", "/api/tea"],
    ["src/pages/admin.astro", "", "/admin"],
    ["server/routes/api/tea.ts", "", "/api/tea"],
  ];
  for (const [path, text, ...found] of each)
    expect(routesAt(path, text), path + text).toEqual(expect.arrayContaining(found));
  expect(
    findRoutes([
      {
        path: "app.ts",
        text: 'import { tea } from "./tea"; f.register(tea, { prefix: "/api/tea" })',
      },
      { path: "tea.ts", text: 'export async function tea(f) { f.get("/cups", a) }' },
    ]),
  ).toContain("/api/tea/cups");
  expect(routesAt("test/users.test.ts", 'app.get("/api/users")')).toEqual([]);
});
