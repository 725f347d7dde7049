import { createHash } from "node:crypto";
import { asPrincipal } from "@treadle/accounts";
import type { MiddlewareHandler } from "hono";
import { serialize } from "hono/utils/cookie";
import {
  ApiFailure,
  isOwnAddress,
  isOwnHost,
  MARK,
  ownAddress,
  sameToken,
  SIGNED_OUT_STYLE,
} from "@treadle/common";
import { checkAccess, cookieName, type AccessAnswer, type AccessOptions } from "./check-access.ts";
import { COMMON_HEADERS } from "@treadle/common";
import { signedOutWords } from "./signed-out-words.ts";

const STYLE_DIGEST = `sha256-${createHash("sha256").update(SIGNED_OUT_STYLE).digest("base64")}`;
const YEAR_S = 365 * 24 * 60 * 60;

/**
 * Addresses to which pages of other sites link: the return from a tool server's sign-in, and shared
 * conversations. Their page does the rest.
 */
const LED_TO = /^\/(?:mcp\/sign-in|yours\/[a-z2-7]{16})$/;

/**
 * Files that a browser or a system requests without a cookie when it installs Treadle as an app.
 * They only reveal its name.
 */
const OPEN_FILES = new Set([
  "/manifest.webmanifest",
  "/mark.svg",
  "/icon-192.png",
  "/icon-512.png",
  "/icon-maskable-512.png",
  "/apple-touch-icon.png",
]);

/** Addresses to which no link leads. */
const FOR_PROGRAMS = /^\/(?:api\/|mcp\/?$|build-result(?:\/|$))/;

/**
 * Guards every route. `options` is called per request, as the port is only known once the server
 * listens.
 */
export function guardRoutes(options: () => AccessOptions): MiddlewareHandler {
  return async (c, next) => {
    const now = options();
    const url = new URL(c.req.url);
    const header = (name: string) => c.req.header(name);
    const host = header("host") ?? url.host;
    // Uses the router's path, in which characters may be percent-encoded (A68).
    const navigation = c.req.method === "GET" && !FOR_PROGRAMS.test(c.req.path);

    // Cookies are shared between ports, and published apps answer at ports of 127.0.0.1: a page there could set so
    // many cookies that the browser drops the workbench's. No app answers at localhost, so the workbench uses that
    // name.
    if (navigation && header("authorization") === undefined && isOwnAddress(host, now.port)) {
      const location = `${ownAddress(portOf(host))}${url.pathname}${url.search}`;
      return new Response(null, { status: 307, headers: { location, ...COMMON_HEADERS } });
    }

    const entered = navigation && isOwnHost(host, now.port) ? enter(url, now, header) : undefined;
    if (entered) return entered;

    // After a navigation from another site, the cookie is only sent with the second request.
    if (navigation && LED_TO.test(url.pathname) && isOwnHost(host, now.port)) {
      const again = url.searchParams.has("again");
      url.searchParams.set("again", "1");
      if (!again) return page(200, "Treadle", refresh(url.pathname + url.search));
    }

    const fromElsewhere = /^(?:cross|same)-site$/.test(header("sec-fetch-site") ?? "");
    if (navigation && OPEN_FILES.has(c.req.path) && isOwnHost(host, now.port) && !fromElsewhere) {
      await next();
      setCommonHeaders(c.res.headers);
      return;
    }

    const answer = await checkAccess(
      {
        method: c.req.method,
        upgrade: header("upgrade") !== undefined,
        host,
        origin: header("origin"),
        authorization: header("authorization"),
        cookie: header("cookie"),
        // A link on another site may open this address. The cookie is not sent with it, so nothing protected is
        // shown.
        fetchSite: navigation ? undefined : header("sec-fetch-site"),
      },
      now,
    );
    if (!answer.ok) {
      if (navigation) return signedOutPage(answer, url, now.port, header("accept-language"));
      throw new ApiFailure(answer.status, answer.code, answer.reason);
    }
    const { principal } = answer;
    c.set("principal", principal);
    // The person at this machine needs no trace through the work: everything is theirs.
    if (principal.via === "local") await next();
    else await asPrincipal(principal, next);
    setCommonHeaders(c.res.headers);
  };
}

const portOf = (host: string): number | undefined => {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port === undefined ? undefined : Number(port);
};

/**
 * Headers that our own pages may set: for one that we frame, and for one that has to be isolated.
 */
const PAGES_OWN: ReadonlySet<string> = new Set(["x-frame-options", "cross-origin-opener-policy"]);

function setCommonHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(COMMON_HEADERS))
    if (!PAGES_OWN.has(name) || !headers.has(name)) headers.set(name, value);
}

/** Exchanges the token, or a ticket, in the address for the cookie, and takes it out of the address. */
function enter(
  url: URL,
  { token, takeTicket, port }: AccessOptions,
  header: (name: string) => string | undefined,
): Response | undefined {
  const given = url.searchParams.get("token");
  const ticket = url.searchParams.get("ticket");
  const enters = given === null ? ticket !== null && takeTicket(ticket) : sameToken(given, token);
  if (!enters) return undefined;
  url.searchParams.delete("token");
  url.searchParams.delete("ticket");
  // Rebuilt from its parts, since `//host` in the path would lead away (A11).
  const target = `/${url.pathname.replace(/^[/\\]+/, "")}${url.search}`;
  const cookie = serialize(cookieName(port), token, {
    path: "/",
    httpOnly: true,
    sameSite: "Strict",
    maxAge: YEAR_S,
  });
  // After a link from another site, a redirect would not send the new cookie. A page of the server's own reloads
  // itself instead.
  const response =
    header("sec-fetch-site") === "cross-site"
      ? page(200, "Treadle", refresh(target))
      : new Response(null, { status: 302, headers: { location: target, ...COMMON_HEADERS } });
  response.headers.set("set-cookie", cookie);
  response.headers.set("cache-control", "no-store");
  return response;
}

/**
 * The page for browsers without the cookie, in their language: instructions, and a field for the
 * token.
 */
function signedOutPage(
  { status, code }: Extract<AccessAnswer, { ok: false }>,
  { pathname, searchParams }: URL,
  port: number | undefined,
  accepted: string | undefined,
): Response {
  const { tag, words } = signedOutWords(accepted);
  const isSignedOut = code === "signed-out";
  const tried =
    isSignedOut && searchParams.has("token") ? `<p role="alert">${words.wrong}</p>` : "";
  const signIn = `<form action="${escape(pathname)}"><label for="token">${words.paste.replace("{code}", "<code>?token=</code>")}</label>
<div><input id="token" name="token" type="password" autocomplete="off" required autofocus><button>${words.signIn}</button></div></form>`;
  const refused = code === "host" ? words.otherHost : words.otherOrigin;
  const about = isSignedOut ? words.about : refused.replace("{address}", ownAddress(port));
  const title = isSignedOut ? words.signedOut : words.notHere;
  return page(
    status,
    title,
    `<style>${SIGNED_OUT_STYLE}</style><main>${MARK}<h1>${title}</h1>
${tried}<p>${escape(about)}</p>${isSignedOut ? signIn : ""}</main>`,
    tag,
  );
}

const refresh = (target: string) => `<meta http-equiv="refresh" content="0;url=${escape(target)}">`;

function page(status: number, title: string, body: string, language = "en"): Response {
  return new Response(
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${body}`,
    {
      status,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": `default-src 'none'; style-src '${STYLE_DIGEST}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
        "cache-control": "no-store",
        vary: "accept-language",
        ...COMMON_HEADERS,
      },
    },
  );
}

const escape = (text: string) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
