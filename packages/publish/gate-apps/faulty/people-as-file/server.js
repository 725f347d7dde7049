import { createServer } from "node:http";

const members = [
  ["Ada", "ada@lovelace.org"],
  ["Grace", "grace@hopper.org"],
];
const headers = { "x-content-type-options": "nosniff", "x-frame-options": "SAMEORIGIN" };

createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://club");
  if (pathname === "/api/members/export") {
    response.writeHead(200, { ...headers, "content-type": "text/csv; charset=utf-8" });
    return response.end(["name,email", ...members.map((row) => row.join(","))].join("\n"));
  }
  if (pathname !== "/") return response.writeHead(404, headers).end("There is no such page.");
  response.writeHead(200, { ...headers, "content-type": "text/html; charset=utf-8" });
  response.end(
    `<!doctype html><html lang="en"><head><title>Club</title></head><body><main><h1>Club</h1><p>${members.length} members</p></main></body></html>`,
  );
}).listen(process.env.PORT);
