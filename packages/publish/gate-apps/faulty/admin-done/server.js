import { createServer } from "node:http";

const page = (title, body) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
const loaves = ["Rye", "Wheat"];

createServer((request, response) => {
  const { method, url } = request;
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("x-frame-options", "SAMEORIGIN");
  response.setHeader("content-type", "text/html; charset=utf-8");
  const isBaker = request.headers.cookie === `key=${process.env.BAKER_KEY ?? crypto.randomUUID()}`;
  if (method === "GET" && url === "/")
    return response.end(page("Bakery", `<p>${loaves.join(", ")}</p>`));
  if (method === "GET" && url === "/admin") {
    if (!isBaker) return response.writeHead(302, { location: "/" }).end();
    return response.end(page("Loaves", ""));
  }
  // Whoever sees no button can still send it.
  if (method === "POST" && url === "/api/admin/clear") {
    loaves.length = 0;
    return response.writeHead(204).end();
  }
  response.writeHead(404).end(page("Not there", ""));
}).listen(process.env.PORT);
