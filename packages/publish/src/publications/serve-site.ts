import type { IncomingMessage, ServerResponse } from "node:http";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono, type Context } from "hono";
import { compress } from "hono/compress";
import { isPageRequest, pageTag } from "../visitors/page-tag.ts";
import { putIntoPage } from "../visitors/put-into-page.ts";
import { createSendFile, type Changed } from "./send-file.ts";
import { siteBase } from "./site-base.ts";

/** Paths with a content hash, as builds write them; only these are cached for long. */
const HASHED = /\/(?:assets|_astro|_next\/static|static)\/.*[.-][\w-]{8,}\.\w+$/;

/** Names that lead out of a folder, or are ambiguous. */
const LEADS_OUT = /(?:^|\/)\.{1,2}(?:$|\/)|\/{2,}|\\|\0/;

/**
 * Decodes the file name in an address: `R&D.pdf` is requested as `R%26D.pdf`. Undefined if it is malformed or leads
 * out of the folder.
 * @param path with `%25` and separators still escaped, as Hono gives it
 */
function nameOf(path: string): string | undefined {
  try {
    const name = decodeURIComponent(path);
    return LEADS_OUT.test(name) ? undefined : name;
  } catch {
    return undefined;
  }
}

/** Destinations of requests by a page, as opposed to by a script. */
const SHOWN = /^(?:document|iframe|frame|embed|object)$/;

/**
 * Serves an immutable folder: compressed, with ranges and ETags. An address that is not a file
 * refers to a page beside it (`/about` → `about.html`), or to the site's own 404.html, or in a
 * single-page site to that page, except for requests by scripts, which expect a server's answer. A
 * site built for a subpath is served there.
 * @param reportsOf the release whose pages report errors; undefined while they do not
 */
export function createSite(
  folder: string,
  reportsOf: () => number | undefined = () => undefined,
): Hono {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".html"),
  );
  const has404 = existsSync(join(folder, "404.html"));
  const sendFile = createSendFile(folder);
  const base = siteBase(folder);

  /** How a page that a browser shows is changed to report its errors; undefined for any other request. */
  function tellsErrors(request: Request): ((type: string) => Changed | undefined) | undefined {
    const release = reportsOf();
    if (
      release === undefined ||
      !isPageRequest(request.method, Object.fromEntries(request.headers))
    )
      return undefined;
    return (type) => {
      const put = pageTag(200, { "content-type": type }, release);
      if (put === undefined || put === "refused") return undefined;
      const { tag } = put;
      return { tag: String(release), change: (page) => putIntoPage(page, undefined, tag) };
    };
  }
  const send = (name: string, { req: { raw } }: Context) => sendFile(name, raw, tellsErrors(raw));

  const app = new Hono();
  app.use(compress());
  app.use(async (c, next) => {
    await next();
    c.header("x-content-type-options", "nosniff");
    c.header(
      "cache-control",
      (c.res.ok || c.res.status === 304) && HASHED.test(c.req.path)
        ? "public, max-age=31536000, immutable"
        : "no-cache",
    );
  });
  app.get("*", async (c) => {
    const { path } = c.req;
    if (base !== "" && (path === "/" || path === base)) return c.redirect(`${base}/`);
    const name = nameOf(path.startsWith(`${base}/`) ? path.slice(base.length) : path);
    const file =
      name === undefined
        ? undefined
        : ((await send(name, c)) ?? (await send(`${name.replace(/\/+$/, "")}.html`, c)));
    if (file) return file;
    if (/\.\w{1,8}$/.test(path)) return c.text("There is no such file.", 404);
    if (has404) {
      const page = await sendFile(
        "404.html",
        new Request(c.req.url, { method: c.req.raw.method }),
        tellsErrors(c.req.raw),
      );
      return new Response(page?.body, { status: 404, headers: page?.headers });
    }
    const isShown = SHOWN.test(c.req.header("sec-fetch-dest") ?? "document");
    if (pages.length > 1 || !isShown) return c.text("There is no such page.", 404);
    return (await send("index.html", c)) ?? c.text("There is no such page.", 404);
  });
  app.all("*", (c) => {
    const text = "A site of files is only read.";
    return c.text(text, 405, { allow: "GET, HEAD" });
  });
  return app;
}

/** Serves a site as `createSite` does, to requests of Node's HTTP server. */
export function serveSite(
  folder: string,
  reportsOf?: () => number | undefined,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const app = createSite(folder, reportsOf);
  return getRequestListener((request) => app.fetch(request));
}
