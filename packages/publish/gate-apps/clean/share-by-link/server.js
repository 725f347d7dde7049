import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const people = new Map();
const sessions = new Map();
const pages = new Map();

const frame = (title, body) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const signUp = `<form method="post" action="/register"><label>Name <input name="username" /></label><label>Password <input name="password" type="password" /></label><button>Join</button></form>`;

const app = { routes: [] };
for (const method of ["get", "post"])
  app[method] = (path, handle) =>
    app.routes.push({ method: method.toUpperCase(), shape: path.split("/"), handle });

app.get("/", ({ user }) =>
  user
    ? frame(
        "Your pages",
        `<form method="post" action="/pages"><label>Text <textarea name="text"></textarea></label><button>Keep</button></form><ul>${[
          ...pages,
        ]
          .filter(([, page]) => page.user === user)
          .map(([id, { text }]) => `<li><a href="/pages/${id}">${escape(text)}</a></li>`)
          .join("")}</ul>`,
      )
    : frame("Pages", signUp),
);
app.get("/register", () => frame("Join", signUp));
app.post("/register", ({ form, signIn }) => {
  const username = form.get("username");
  if (!username || people.has(username)) return frame("Join", signUp);
  people.set(username, form.get("password"));
  return signIn(username);
});
app.post("/pages", ({ user, form, to }) => {
  if (!user) return undefined;
  const id = randomUUID();
  pages.set(id, { user, text: form.get("text") ?? "" });
  return to("/");
});
// Whoever was given the address may read it.
app.get(
  "/pages/:id",
  ({ id }) => pages.has(id) && frame("A page", `<p>${escape(pages.get(id).text)}</p>`),
);
app.post("/pages/:id/delete", ({ id, user, to }) => {
  if (pages.get(id)?.user !== user) return undefined;
  pages.delete(id);
  return to("/");
});

createServer(async (request, response) => {
  const parts = request.url.split("?")[0].split("/");
  const found = app.routes.find(
    ({ method, shape }) =>
      method === request.method &&
      shape.length === parts.length &&
      shape.every((part, at) => part.startsWith(":") || part === parts[at]),
  );
  let text = "";
  for await (const piece of request) text += piece;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
  };
  let status = 200;
  const to = (location) => {
    status = 303;
    headers.location = location;
    return " ";
  };
  const answer = found?.handle({
    id: parts[2],
    user: sessions.get(/key=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1]),
    form: new URLSearchParams(text),
    to,
    signIn(name) {
      const key = randomUUID();
      sessions.set(key, name);
      headers["set-cookie"] = `key=${key}; HttpOnly; SameSite=Lax; Path=/`;
      return to("/");
    },
  });
  response.writeHead(answer ? status : 404, headers);
  response.end(answer || frame("Not there", ""));
}).listen(process.env.PORT);
