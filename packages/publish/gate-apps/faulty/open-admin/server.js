import { createServer } from "node:http";

const page = (title, body) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
const routes = {
  "GET /": () => page("Bakery", "<p>Fresh bread at six.</p>"),
  "GET /admin": () =>
    page("All orders", "<table><tr><td>Rye, 2</td></tr></table><button>Clear</button>"),
};

createServer((request, response) => {
  const answer = routes[`${request.method} ${request.url}`];
  response.writeHead(answer ? 200 : 404, {
    "content-type": "text/html; charset=utf-8",
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
  });
  response.end(answer ? answer() : page("Not there", ""));
}).listen(process.env.PORT);
