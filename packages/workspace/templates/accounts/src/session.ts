import { createMiddleware } from "hono/factory";
import { authOf } from "./auth.ts";

export interface User {
  id: string;
  name: string;
  email: string;
}

export interface Signed {
  Variables: { user: User | undefined };
}

export interface SignedIn {
  Variables: { user: User };
}

/** Puts who is signed in on the context. */
export const findUser = createMiddleware<Signed>(async (c, next) => {
  const { headers, response } = await authOf(c).api.getSession({
    headers: c.req.raw.headers,
    returnHeaders: true,
  });
  c.set("user", response?.user);
  await next();
  // A session that is used goes on for longer, and its cookie with it.
  for (const cookie of headers.getSetCookie()) c.res.headers.append("set-cookie", cookie);
});

/** Everything that is routed after this is for people who are signed in. */
export const requireUser = createMiddleware<Signed>(async (c, next) => {
  if (c.get("user")) return next();
  const wantsPage = c.req.method === "GET" && c.req.header("accept")?.includes("text/html");
  return wantsPage
    ? c.redirect(`/sign-in?next=${encodeURIComponent(c.req.path)}`)
    : c.json({ error: "Sign in first." }, 401);
});

/** Where somebody wanted to be: a page of this app, and never another site. */
export const nextPage = (wanted: string | undefined) =>
  wanted !== undefined && /^\/(?![/\\])[^\s]*$/.test(wanted) ? wanted : "/notes";
