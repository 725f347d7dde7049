import { createServer } from "node:http";
import { readFileSync } from "node:fs";

createServer((request, response) => {
  response.setHeader("content-type", "text/html");
  response.end(readFileSync("index.html"));
}).listen(3000);
