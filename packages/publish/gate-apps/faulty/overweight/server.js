import { randomBytes } from "node:crypto";
import { createServer } from "node:http";

const picture = randomBytes(3_300_000);

createServer((request, response) => {
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("x-frame-options", "SAMEORIGIN");
  if (request.url === "/mountain.jpg") {
    response.setHeader("content-type", "image/jpeg");
    return response.end(picture);
  }
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(
    `<!doctype html><html lang="en"><head><title>Mountain</title></head><body><main><h1>Mountain</h1><img src="/mountain.jpg" alt="A mountain in snow" /></main></body></html>`,
  );
}).listen(process.env.PORT);
