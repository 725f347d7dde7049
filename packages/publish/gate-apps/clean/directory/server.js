const { createServer } = require("node:http");
const { randomBytes } = require("node:crypto");

// A club's site: whom to write to, what is on, and who has an account that tells nobody more than a name.
const team = [
  { name: "Ada", role: "Chair", email: "ada@tea-club.org" },
  { name: "Grace", role: "Treasurer", email: "grace@tea-club.org" },
];
const events = [{ title: "First flush", venue: "Hall 1", contactEmail: "events@tea-club.org" }];
const orders = [{ id: 1, email: "alan@turing.org", address: "8 Adlington Road, Wilmslow" }];

const data = {
  "/api/team": () => team,
  "/api/events": () => events,
  "/api/users": () => [{ name: "ada" }, { name: "grace" }],
  "/api/session": () => ({ user: null, sessionToken: randomBytes(16).toString("hex") }),
  "/api/admin/session": () => ({ signedIn: false }),
  "/api/search/config": () => ({ appId: "TEACLUB", apiKey: "{{random}}", indexName: "events" }),
};
const page = (title, body) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><nav><a href="/">Home</a> <a href="/log-in">Log in</a></nav><main><h1>${title}</h1>${body}</main></body></html>`;
const pages = {
  "/": page("Tea club", '<p>Write to <a href="mailto:ada@tea-club.org">Ada</a>.</p>'),
  "/log-in": page(
    "Log in",
    '<form method="post"><label>Password <input type="password" name="password"></label><button>Log in</button></form>',
  ),
  "/admin": page("Orders", "<p>You need to be on the committee to see them.</p>"),
};

createServer((request, response) => {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("x-frame-options", "DENY");
  const { pathname } = new URL(request.url, "http://localhost");
  const send = (status, type, text) =>
    response.writeHead(status, { "content-type": type }).end(text);
  const json = (status, body) => send(status, "application/json", JSON.stringify(body));
  if (pathname === "/api/stream") {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: hello\n\n");
    return;
  }
  if (pathname === "/api/orders") {
    const key = process.env.ADMIN_KEY;
    if (!key || request.headers.authorization !== `Bearer ${key}`) return json(401, {});
    return json(200, orders);
  }
  if (data[pathname]) return json(200, data[pathname]());
  if (pages[pathname]) return send(200, "text/html", pages[pathname]);
  send(404, "text/html", page("Not found", `<p>There is no ${pathname.slice(1)}.</p>`));
}).listen(process.env.PORT);
