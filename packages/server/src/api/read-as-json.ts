import type { MiddlewareHandler } from "hono";

/**
 * Makes requests to bolt's routes JSON: its clients send JSON without a content type, or as text, and its server
 * parses any body as JSON.
 */
export const readAsJson: MiddlewareHandler = async (c, next) => {
  const { raw } = c.req;
  if (raw.method === "POST") {
    const headers = new Headers(raw.headers);
    headers.set("content-type", "application/json");
    c.req.raw = new Request(raw, { headers });
  }
  await next();
};
