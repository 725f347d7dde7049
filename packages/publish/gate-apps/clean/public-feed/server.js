import { randomBytes } from "node:crypto";
import { createServer } from "node:http";

const people = new Map();
const tokens = new Map();
const posts = [];

/** @type {Record<string, (call: { user?: string, body: any, id?: number }) => [number, unknown]>} */
const routes = {
  "POST /api/auth/signup": ({ body: { username, password } }) => {
    if (!username || String(password ?? "").length < 10 || people.has(username))
      return [400, { error: "no" }];
    people.set(username, password);
    return [201, { username }];
  },
  "POST /api/auth/login": ({ body: { username, password } }) => {
    if (people.get(username) !== password) return [401, { error: "no" }];
    const token = randomBytes(24).toString("base64url");
    tokens.set(token, username);
    return [200, { token }];
  },
  "GET /api/posts": () => [200, { posts }],
  "POST /api/posts": ({ user, body: { title } }) => {
    if (!user) return [401, { error: "Sign in first." }];
    posts.push({ id: posts.length + 1, author: user, title: String(title) });
    return [201, posts.at(-1)];
  },
  "GET /api/posts/:id": ({ id }) => (posts[id - 1] ? [200, posts[id - 1]] : [404, {}]),
  "DELETE /api/posts/:id": ({ id, user }) => {
    if (!user || posts[id - 1]?.author !== user) return [403, { error: "Only its author may." }];
    posts[id - 1].title = "(gone)";
    return [200, {}];
  },
};

createServer(async (request, response) => {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("x-frame-options", "SAMEORIGIN");
  if (request.url === "/") {
    response.setHeader("content-type", "text/html; charset=utf-8");
    return response.end(
      `<!doctype html><html lang="en"><head><title>News</title></head><body><main><h1>News</h1></main></body></html>`,
    );
  }
  let text = "";
  for await (const piece of request) text += piece;
  const id = Number(/\/(\d+)$/.exec(request.url)?.[1]);
  const handle = routes[`${request.method} ${request.url.replace(/\/\d+$/, "/:id")}`];
  const user = tokens.get(request.headers.authorization?.slice("Bearer ".length));
  let answer = [404, { error: "There is none." }];
  try {
    if (handle) answer = handle({ user, id, body: text === "" ? {} : JSON.parse(text) });
  } catch {
    answer = [400, { error: "That could not be read." }];
  }
  response.writeHead(answer[0], { "content-type": "application/json" });
  response.end(JSON.stringify(answer[1]));
}).listen(process.env.PORT);
