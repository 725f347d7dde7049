import type { IncomingMessage, ServerResponse } from "node:http";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { isPageRequest, pageTag } from "../visitors/page-tag.ts";
import { putIntoPage } from "../visitors/put-into-page.ts";

/** Builds put a hash of the content into such names. */
const HASHED = /\/(?:assets|_astro|_next\/static|static)\/.*[.-][\w-]{8,}\.\w+$/;

/** What leads out of a folder, or is read in more than one way. */
const LEADS_OUT = /(?:^|\/)\.{1,2}(?:$|\/)|\/{2,}|\\|\0/;

/**
 * The file that an address names: left to itself `serveStatic` serves none whose name has to be escaped, such as `R&D.pdf`
 * where a page asks for `R%26D.pdf`.
 * @param path with `%25` and what separates the parts of an address still escaped, as Hono gives it
 */
function nameOf(path: string): string | undefined {
  try {
    const name = decodeURIComponent(path);
    return LEADS_OUT.test(name) ? undefined : name;
  } catch {
    return undefined;
  }
}

/**
 * Serves a folder of files that nobody changes any more: compressed, by ranges, asked again by their ETag. An address that
 * is no file is a page beside it (`/about` → `about.html`), the site's own 404.html, or, of a site of one page, that page.
 * @param reportsOf the release whose pages tell what goes wrong in them; undefined while they do not
 */
export function createSite(
  folder: string,
  reportsOf: () => number | undefined = () => undefined,
): Hono {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".html"),
  );
  const has404 = existsSync(join(folder, "404.html"));
  // With a root it would look whether that is there, for each request.
  const send = (name: string) => serveStatic({ path: join(folder, name) });
  const app = new Hono();
  app.use(compress());
  app.use(etag());
  app.use(async (c, next) => {
    await next();
    c.header("x-content-type-options", "nosniff");
    c.header(
      "cache-control",
      c.res.ok && HASHED.test(c.req.path) ? "public, max-age=31536000, immutable" : "no-cache",
    );
  });
  app.use(async (c, next) => {
    await next();
    const release = reportsOf();
    const { method, headers } = c.req.raw;
    if (release === undefined || !isPageRequest(method, Object.fromEntries(headers))) return;
    const sent = Object.fromEntries(c.res.headers);
    const put = pageTag(c.res.status, sent, release);
    if (put === undefined || put === "refused") return;
    const page = Buffer.from(await c.res.arrayBuffer());
    const pieces = await putIntoPage(Readable.from([page]), undefined, put.tag).toArray();
    c.res = new Response(Buffer.concat(pieces as Buffer[]), {
      status: c.res.status,
      headers: sent,
    });
    c.res.headers.delete("content-length");
  });
  for (const end of ["", ".html"])
    app.get("*", async (c, next) => {
      const name = nameOf(c.req.path);
      if (name === undefined) return next();
      return send(end === "" ? name : name.replace(/\/+$/, "") + end)(c, next);
    });
  app.get("*", async (c, next) => {
    if (/\.\w{1,8}$/.test(c.req.path)) return c.text("There is no such file.", 404);
    if (has404) {
      const page = await send("404.html")(c, next);
      return page && new Response(page.body, { status: 404, headers: page.headers });
    }
    if (pages.length > 1) return c.text("There is no such page.", 404);
    return send("index.html")(c, next);
  });
  return app;
}

/** The same for a request of Node's. */
export function serveSite(
  folder: string,
  reportsOf?: () => number | undefined,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const app = createSite(folder, reportsOf);
  return getRequestListener((request) => app.fetch(request));
}
