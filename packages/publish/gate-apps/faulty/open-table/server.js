import { createServer } from "node:http";

const customers = [
  { id: 1, name: "Ada", email: "ada@lovelace.org", city: "London" },
  { id: 2, name: "Grace", email: "grace@hopper.org", city: "New York" },
];
const headers = { "x-content-type-options": "nosniff", "x-frame-options": "SAMEORIGIN" };

createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://shop");
  if (pathname === "/api/customers") {
    response.writeHead(200, { ...headers, "content-type": "application/json" });
    return response.end(JSON.stringify({ customers }));
  }
  if (pathname !== "/") return response.writeHead(404, headers).end("There is no such page.");
  response.writeHead(200, { ...headers, "content-type": "text/html; charset=utf-8" });
  response.end(
    `<!doctype html><html lang="en"><head><title>Customers</title></head><body><main><h1>Customers</h1><ul></ul></main>
    <script>
      fetch("/api/customers").then((answer) => answer.json()).then(({ customers }) => {
        for (const { name } of customers) document.querySelector("ul").append(Object.assign(document.createElement("li"), { textContent: name }));
      });
    </script></body></html>`,
  );
}).listen(process.env.PORT);
