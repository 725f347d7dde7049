import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { page } from "./src/page.js";

const port = Number(process.env.PORT ?? 3000);

createServer((request, response) => {
  if (request.url === "/style.css") {
    response.writeHead(200, { "content-type": "text/css" });
    response.end(readFileSync("style.css"));
    return;
  }
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(page());
}).listen(port, () => console.log(`http://localhost:${port}`));
