/**
 * `treadle-serve [PORT]`: serves the project's folder as plain files, for projects without a server
 * of their own. Nothing is cached; there is no live reload.
 */
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

const root = process.cwd();
const port = Number(process.argv[2] ?? 3000);

function fileFor(path: string): string | undefined {
  const base = join(root, normalize(path));
  if (base !== root && !base.startsWith(`${root}/`)) return undefined;
  for (const candidate of [base, join(base, "index.html"), `${base}.html`])
    if (statSync(candidate, { throwIfNoEntry: false })?.isFile()) return candidate;
  return undefined;
}

const server = createServer((request, response) => {
  let file: string | undefined;
  try {
    file = fileFor(decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname));
  } catch {
    file = undefined;
  }
  if (file === undefined) {
    response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n");
    return;
  }
  response.writeHead(200, {
    "content-type": TYPES[extname(file).toLowerCase()] ?? "application/octet-stream",
    "cache-control": "no-store",
  });
  if (request.method === "HEAD") response.end();
  else
    createReadStream(file)
      .on("error", () => response.destroy())
      .pipe(response);
});
server.listen(port, "127.0.0.1", () => process.stdout.write(`Serving files on :${port}\n`));
