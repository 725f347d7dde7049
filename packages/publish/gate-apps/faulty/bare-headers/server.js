import { createServer } from "node:http";

createServer((request, response) => {
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "set-cookie": "session_id=8f14e45f; Path=/",
  });
  response.end(
    `<!doctype html><html lang="en"><head><title>Diary</title></head><body><main><h1>Diary</h1></main></body></html>`,
  );
}).listen(process.env.PORT);
