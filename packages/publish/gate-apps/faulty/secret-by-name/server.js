import { createHmac } from "node:crypto";
import { createServer } from "node:http";

const SESSION_SECRET = "{{random}}";
const headers = { "x-content-type-options": "nosniff", "x-frame-options": "SAMEORIGIN" };

createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://shop");
  if (pathname !== "/") return response.writeHead(404, headers).end("There is no such page.");
  const signature = createHmac("sha256", SESSION_SECRET).update("visitor").digest("hex");
  response.writeHead(200, {
    ...headers,
    "content-type": "text/html; charset=utf-8",
    "set-cookie": `session=${signature}; HttpOnly; SameSite=Lax`,
  });
  response.end(
    `<!doctype html><html lang="en"><head><title>Tea</title></head><body><main><h1>Tea</h1></main></body></html>`,
  );
}).listen(process.env.PORT);
