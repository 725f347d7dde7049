import { serialize } from "hono/utils/cookie";
import { cookieName } from "./check-access.ts";

const YEAR_S = 365 * 24 * 60 * 60;

/** The header that signs a browser in, or out if `value` is empty. */
export const sessionCookie = (value: string, port: number | undefined): string =>
  serialize(cookieName(port), value, {
    path: "/",
    httpOnly: true,
    sameSite: "Strict",
    maxAge: value === "" ? 0 : YEAR_S,
  });
