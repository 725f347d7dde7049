import { readdirSync, readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
  woff2: "font/woff2",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
  txt: "text/plain; charset=utf-8",
};
const COMPRESSED = /\.(?:html|js|css|json|svg|webmanifest|txt|wasm)$/;
/** Files whose name contains a hash of the content, as Vite names them. */
const HASHED = /^assets\/.*-[\w-]{8,}\.\w+$/;

/**
 * Serves the built page. Only files found in the folder are served, by name, so that no path leads
 * out of it; every address without a file extension gets the page itself, which routes by the
 * address.
 */
export function staticPage(
  folder: string,
  policy: () => string,
): (request: Request) => Promise<Response> {
  const compress = promisify(gzip);
  const packed = new Map<string, Promise<Uint8Array>>();
  let files = new Set<string>();
  let builtAt = 0;

  /**
   * Reads the list of files again after a new build, which has other file names. A build is new if its index page
   * has another time of change.
   */
  function rescan(): void {
    const at = statSync(join(folder, "index.html"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (at === builtAt) return;
    builtAt = at;
    packed.clear();
    files = new Set(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/")),
    );
  }

  return async (request) => {
    rescan();
    const requested = decode(new URL(request.url).pathname).replace(/^\/+/, "");
    const name = files.has(requested)
      ? requested
      : /\.\w+$/.test(requested)
        ? undefined
        : "index.html";
    if (name === undefined || !files.has(name))
      return new Response("Not found", { status: 404, headers: { "cache-control": "no-store" } });
    const extension = name.split(".").at(-1) ?? "";
    const headers = new Headers({
      "content-type": TYPES[extension] ?? "application/octet-stream",
      "cache-control": HASHED.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
    });
    if (extension === "html") headers.set("content-security-policy", policy());
    const path = join(folder, name);
    const takesGzip = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
    if (!takesGzip || !COMPRESSED.test(name))
      return new Response(new Uint8Array(await readFile(path)), { headers });
    headers.set("content-encoding", "gzip");
    let bytes = packed.get(name);
    if (!bytes) {
      bytes = files.has(`${name}.gz`)
        ? readFile(`${path}.gz`)
        : compress(readFileSync(path), { level: 9 });
      packed.set(name, bytes);
    }
    return new Response(new Uint8Array(await bytes), { headers });
  };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}
