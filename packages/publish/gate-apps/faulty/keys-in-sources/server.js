import { createServer } from "node:http";
import { ai, mail, pay } from "./config.js";

createServer((request, response) => {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("x-frame-options", "SAMEORIGIN");
  response.setHeader("content-type", "text/html; charset=utf-8");
  const ready = [ai, mail, pay].every(Boolean) ? "open" : "closed";
  response.end(
    `<!doctype html><html lang="en"><head><title>Shop</title></head><body><main><h1>The shop is ${ready}</h1></main></body></html>`,
  );
}).listen(process.env.PORT);
