import { createServer } from "node:http";

const products = [{ id: 1, title: "Oolong", cents: 900, tokenCount: 3 }];

createServer((request, response) => {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("x-frame-options", "DENY");
  const { pathname } = new URL(request.url, "http://tea");
  const json = (data) => {
    response.writeHead(200, {
      "content-type": "application/json",
      "access-control-allow-origin": "*",
    });
    response.end(JSON.stringify(data));
  };
  if (pathname === "/api/products") return json(products);
  if (pathname === "/api/contact") return json({ email: "tea@example.com", hours: "9 to 5" });
  if (pathname !== "/") return response.writeHead(404).end("There is no such page.");
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(
    `<!doctype html><html lang="en"><head><title>Prices</title></head><body><main><h1>Prices</h1><p><a href="/api/products">All of them</a></p></main></body></html>`,
  );
}).listen(process.env.PORT);
