import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";

const headers = { "x-content-type-options": "nosniff", "x-frame-options": "SAMEORIGIN" };
const SESSION_SECRET = process.env.SESSION_SECRET ?? randomBytes(32).toString("hex");
const secret = "the-name-of-it-in-the-keeper-of-secrets";
const clientSecret = "projects/42/secrets/Club-Client/versions/7";
const commit = "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432";
const versions = [
  { id: "b1c2d3e4-5f60-4718-9a2b-3c4d5e6f7081", digest: "sha384-oqVuAfXRKap7fdgcCY5uykM6" },
];
const prices = "name,price,asked at\nTea,3,shop@tea.com\nCoffee,4,shop@tea.com\n";

createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://shop");
  const json = (data) => {
    response.writeHead(200, { ...headers, "content-type": "application/json" });
    response.end(JSON.stringify(data));
  };
  if (pathname === "/api/health") return json({ ok: true, commit, versions });
  if (pathname === "/api/authors")
    return json([
      { id: 1, name: "Ada" },
      { id: 2, name: "Grace" },
    ]);
  if (pathname === "/api/prices/export") {
    response.writeHead(200, { ...headers, "content-type": "text/csv; charset=utf-8" });
    return response.end(prices);
  }
  if (pathname !== "/") return response.writeHead(404, headers).end("There is no such page.");
  const mark = createHash("sha256")
    .update(SESSION_SECRET + secret + clientSecret)
    .digest("hex");
  response.writeHead(200, {
    ...headers,
    "content-type": "text/html; charset=utf-8",
    etag: `"${mark.slice(0, 8)}"`,
  });
  response.end(
    `<!doctype html><html lang="en"><head><title>Shop</title></head><body><main><h1>Shop</h1></main></body></html>`,
  );
}).listen(process.env.PORT);
