import { serialize } from "hono/utils/cookie";
import type { OwnHosts } from "../server-address.ts";
import { browserCookieName, cookieName } from "./check-access.ts";

const YEAR_S = 365 * 24 * 60 * 60;

/** The header that signs a browser in, or out if `value` is empty. */
export const sessionCookie = (value: string, own: OwnHosts): string =>
  cookie(cookieName(own), value, own);

/** The header that marks a browser as one that has signed in. The mark stays when the browser signs out. */
export const browserCookie = (mark: string, own: OwnHosts): string =>
  cookie(browserCookieName(own), mark, own);

const cookie = (name: string, value: string, { people }: OwnHosts): string =>
  serialize(name, value, {
    path: "/",
    httpOnly: true,
    secure: people !== undefined,
    sameSite: "Strict",
    maxAge: value === "" ? 0 : YEAR_S,
  });
