import type { Context } from "hono";
import { createMiddleware } from "hono/factory";

/** A proxy in front that speaks TLS says so. */
export const isHttps = (c: Context) =>
  (c.req.header("x-forwarded-proto") ?? new URL(c.req.url).protocol).startsWith("https");

/** Changes come from pages of this app alone: a browser says where a request comes from. */
export const fromOwnPages = createMiddleware(async (c, next) => {
  if (["GET", "HEAD", "OPTIONS"].includes(c.req.method)) return next();
  const origin = c.req.header("origin") ?? "";
  if (URL.canParse(origin) && new URL(origin).host === c.req.header("host")) return next();
  return c.text("This has to come from a page of this app.", 403);
});
