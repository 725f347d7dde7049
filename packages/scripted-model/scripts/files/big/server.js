import { createServer } from "node:http";
import { TIDES } from "./tides.js";

const port = Number(process.env.PORT ?? 3000);
const rows = TIDES.slice(0, 20).map(({ at, metres, kind }) => `<li>${at}: ${kind} water, ${metres} m</li>`);

createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html>
<html lang="en">
  <head><title>Tides</title><link rel="icon" href="data:,"></head>
  <body><h1>${TIDES.length} tides</h1><ul>${rows.join("")}</ul></body>
</html>`);
}).listen(port, () => console.log(`http://localhost:${port}`));
