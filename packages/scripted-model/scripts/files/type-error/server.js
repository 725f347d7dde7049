import { createServer } from "node:http";
import { heading } from "./src/words.ts";

const page = `<!doctype html><html lang="en"><title>Words</title><link rel="icon" href="data:,"><h1>${heading}</h1></html>`;

createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(page);
}).listen(Number(process.env.PORT ?? 3000));
