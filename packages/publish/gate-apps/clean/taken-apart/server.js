const { createServer } = require("node:http");
const entries = [{ id: 1, name: "Grace", message: "Lovely place!", createdAt: "2026-01-02" }];
const leads = [];
const ADMIN_TOKEN = process.env.ADMIN_TOKEN;
const esc = (s) => String(s).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
async function body(req) {
  let t = "";
  for await (const c of req) {
    t += c;
    if (t.length > 1e5) throw new Error("too large");
  }
  return t;
}
const send = (res, status, data, type = "application/json") => {
  res.writeHead(status, {
    "Content-Type": type,
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'",
  });
  res.end(type === "application/json" ? JSON.stringify(data) : data);
};
const server = createServer(async (req, res) => {
  const url = new URL(req.url, `http://${req.headers.host}`);
  const segments = url.pathname.split("/").filter(Boolean);
  try {
    switch (segments[0]) {
      case undefined:
        return send(
          res,
          200,
          `<!doctype html><html lang="en"><head><title>Guest book</title></head><body><h1>Guest book</h1><ul>${entries.map((e) => `<li id="entry-${e.id}">${esc(e.name)}: ${esc(e.message)} <a href="#entry-${e.id}">link</a></li>`).join("")}</ul><form method="post" action="/api/entries"><label>Name <input name="name"></label><label>Message <textarea name="message"></textarea></label><button>Sign</button></form></body></html>`,
          "text/html; charset=utf-8",
        );
      case "api":
        switch (segments[1]) {
          case "entries":
            if (req.method === "GET") return send(res, 200, entries);
            if (req.method === "POST") {
              const f = new URLSearchParams(await body(req));
              entries.push({
                id: entries.length + 1,
                name: f.get("name"),
                message: f.get("message"),
                createdAt: new Date().toISOString(),
              });
              res.writeHead(303, { Location: "/" });
              return res.end();
            }
            return send(res, 405, { error: "Method not allowed" });
          case "contact":
            if (req.method !== "POST") return send(res, 405, { error: "Method not allowed" });
            leads.push(JSON.parse(await body(req)));
            return send(res, 201, { ok: true });
          case "leads":
          case "customers":
            if (!ADMIN_TOKEN || req.headers.authorization !== `Bearer ${ADMIN_TOKEN}`)
              return send(res, 401, { error: "Unauthorized" });
            return send(res, 200, leads);
          default:
            return send(res, 404, { error: "Not found" });
        }
      case "admin":
        if (!ADMIN_TOKEN || req.headers.authorization !== `Bearer ${ADMIN_TOKEN}`)
          return send(res, 403, "<h1>Forbidden</h1>", "text/html");
        return send(res, 200, "<h1>Admin</h1>", "text/html");
      default:
        return send(res, 404, "<h1>Not found</h1>", "text/html");
    }
  } catch (error) {
    send(res, 400, { error: "Bad request" });
  }
});
server.listen(process.env.PORT ?? 3000);
