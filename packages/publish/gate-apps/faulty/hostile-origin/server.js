import { createServer } from "node:http";

createServer((request, response) => {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("x-frame-options", "SAMEORIGIN");
  if (request.url === "/api/me") {
    response.setHeader("access-control-allow-origin", request.headers.origin ?? "*");
    response.setHeader("access-control-allow-credentials", "true");
    response.setHeader("content-type", "application/json");
    return response.end(JSON.stringify({ name: null, cart: [] }));
  }
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(
    `<!doctype html><html lang="en"><head><title>Cart</title></head><body><main><h1>Cart</h1></main><script>fetch("/api/me")</script></body></html>`,
  );
}).listen(process.env.PORT);
