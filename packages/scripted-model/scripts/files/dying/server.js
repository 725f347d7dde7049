import { createServer } from "node:http";

let news;

createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><html lang="en"><title>News</title><h1>${news.length} news</h1></html>`);
}).listen(Number(process.env.PORT ?? 3000));
