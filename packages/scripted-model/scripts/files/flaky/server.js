import { createServer } from "node:http";
import { greeting } from "greeting";

createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><html lang="en"><title>Greeting</title><link rel="icon" href="data:,"><h1>${greeting}</h1></html>`);
}).listen(Number(process.env.PORT ?? 3000));
