import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const server = createServer((request, response) => {
  const found = request.url === "/" || request.url === "/index.html";
  response.writeHead(found ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
  response.end(found ? readFileSync("index.html") : "Not found");
});
server.listen(Number(process.env.PORT ?? 3000), () =>
  console.log(`http://localhost:${server.address().port}`),
);
