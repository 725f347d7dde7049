import { serialize } from "hono/utils/cookie";
import { browserCookieName, cookieName } from "./check-access.ts";

const YEAR_S = 365 * 24 * 60 * 60;

/** The header that signs a browser in, or out if `value` is empty. */
export const sessionCookie = (value: string, port: number | undefined): string =>
  cookie(cookieName(port), value);

/** The header that marks a browser as one that has signed in. It stays when it signs out. */
export const browserCookie = (mark: string, port: number | undefined): string =>
  cookie(browserCookieName(port), mark);

const cookie = (name: string, value: string): string =>
  serialize(name, value, {
    path: "/",
    httpOnly: true,
    sameSite: "Strict",
    maxAge: value === "" ? 0 : YEAR_S,
  });
