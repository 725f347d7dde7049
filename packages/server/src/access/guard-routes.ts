import { asPrincipal, LOCAL_OWNER } from "@treadle/accounts";
import type { MiddlewareHandler } from "hono";
import { ApiFailure, isOwnAddress, MARK, ownAddress, SIGNED_OUT_STYLE } from "@treadle/common";
import { checkAccess, type AccessAnswer, type AccessOptions } from "./check-access.ts";
import { COMMON_HEADERS } from "@treadle/common";
import { isPeoplesHost, peoplesAddress } from "../server-address.ts";
import { sessionCookie } from "./session-cookie.ts";
import { ownPath } from "./own-path.ts";
import { PASSKEY_SCRIPT, signInForms } from "./enter-page.ts";
import { PASS_PATH } from "./preview-door.ts";
import { escapeHtml, forwardTo, plainPage } from "./plain-page.ts";
import { signedOutWords } from "./signed-out-words.ts";

/**
 * Paths that pages of other sites link or redirect to: the return from a tool server's sign-in, access links, and
 * shared conversations. These pages do the rest themselves. At a public address, previews redirect here as well.
 */
const LED_TO = /^\/(?:mcp\/sign-in|join|yours\/[a-z2-7]{16})$/;

/**
 * Files that a browser or a system requests without a cookie when it installs Treadle as an app. They reveal
 * nothing but its name and icon.
 */
const OPEN_FILES = new Set([
  "/manifest.webmanifest",
  "/mark.svg",
  "/icon-192.png",
  "/icon-512.png",
  "/icon-maskable-512.png",
  "/apple-touch-icon.png",
]);

/** Pages that a server with accounts shows without a session. */
const OPEN_PAGES = /^\/(?:enter|join|sign-in(?:\/provider(?:\/return)?)?|assets\/.*)$/;

/** Paths that only programs request, so that no request for them counts as navigation. */
const FOR_PROGRAMS = /^\/(?:api\/|mcp\/?$|build-result(?:\/|$))/;

/**
 * Guards every route: signs in browsers that bring a token or a ticket, checks every other request with
 * `checkAccess`, and sets the common headers. A refused navigation is answered with a page; other refused requests
 * throw an ApiFailure 401 or 403. `options` is called per request, as the port is only known once the server
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
    const isProgram = header("authorization") !== undefined;
    if (navigation && !isProgram && !now.people && isOwnAddress(host, now.port)) {
      const location = `${ownAddress(portOf(host))}${url.pathname}${url.search}`;
      return new Response(null, { status: 307, headers: { location, ...COMMON_HEADERS } });
    }

    const entered =
      navigation && isPeoplesHost(host, now) ? await enter(url, now, header) : undefined;
    if (entered) return entered;

    // After a navigation from another site, the cookie is only sent with the second request.
    const isLedTo = LED_TO.test(url.pathname) || (now.people && url.pathname === PASS_PATH);
    if (navigation && isLedTo && isPeoplesHost(host, now)) {
      const again = url.searchParams.has("again");
      url.searchParams.set("again", "1");
      if (!again) return plainPage(200, "Treadle", forwardTo(url.pathname + url.search));
    }

    const fromElsewhere = /^(?:cross|same)-site$/.test(header("sec-fetch-site") ?? "");
    if (navigation && OPEN_FILES.has(c.req.path) && isPeoplesHost(host, now) && !fromElsewhere) {
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
    const isOpen = now.hasAccounts && (!navigation || OPEN_PAGES.test(c.req.path));
    if (!answer.ok && answer.status === 401 && isOpen) {
      // Each route declares whether it needs a sign-in.
      await next();
      setCommonHeaders(c.res.headers);
      return;
    }
    if (!answer.ok) {
      if (navigation) return signedOutPage(answer, url, now, header("accept-language"));
      throw new ApiFailure(answer.status, answer.code, answer.reason);
    }
    const { principal } = answer;
    c.set("principal", principal);
    // Work for the person at this machine is not tagged with a principal: everything is theirs.
    if (principal === LOCAL_OWNER) await next();
    else await asPrincipal(principal, next);
    setCommonHeaders(c.res.headers);
  };
}

const portOf = (host: string): number | undefined => {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port === undefined ? undefined : Number(port);
};

/**
 * Headers that a page of our own may set itself: one for a page that we frame, one for a page that has to be
 * isolated.
 */
const PAGES_OWN: ReadonlySet<string> = new Set(["x-frame-options", "cross-origin-opener-policy"]);

function setCommonHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(COMMON_HEADERS))
    if (!PAGES_OWN.has(name) || !headers.has(name)) headers.set(name, value);
}

/**
 * Exchanges the token or ticket in the address for the cookie, and redirects to the address without it. Undefined
 * if there is none, or it is not valid.
 */
async function enter(
  url: URL,
  options: AccessOptions,
  header: (name: string) => string | undefined,
): Promise<Response | undefined> {
  const token = url.searchParams.get("token");
  const ticket = url.searchParams.get("ticket");
  if (token === null && ticket === null) return undefined;
  const value = await options.enter(token === null ? { ticket: ticket ?? "" } : { token });
  if (value === undefined) return undefined;
  url.searchParams.delete("token");
  url.searchParams.delete("ticket");
  // Rebuilt from its parts, since `//host` in the path would lead away (A11).
  const target = `/${url.pathname.replace(/^[/\\]+/, "")}${url.search}`;
  const cookie = sessionCookie(value, options);
  // After a link from another site, a redirect would not send the new cookie. A page of the server's own reloads
  // itself instead.
  const response =
    header("sec-fetch-site") === "cross-site"
      ? plainPage(200, "Treadle", forwardTo(target))
      : new Response(null, { status: 302, headers: { location: target, ...COMMON_HEADERS } });
  response.headers.set("set-cookie", cookie);
  response.headers.set("cache-control", "no-store");
  return response;
}

/**
 * The page for a refused navigation, in the browser's language. For the wrong host or origin it says so; without a
 * valid session it has the ways to sign in or, on a server without accounts, a field for the token.
 */
function signedOutPage(
  { status, code }: Extract<AccessAnswer, { ok: false }>,
  { pathname, searchParams }: URL,
  { hasAccounts, provider, ...own }: AccessOptions,
  accepted: string | undefined,
): Response {
  const { tag, words } = signedOutWords(accepted);
  const isSignedOut = code === "signed-out";
  const tried =
    isSignedOut && searchParams.has("token") ? `<p role="alert">${words.wrong}</p>` : "";
  const tokenForm = `<form action="${escapeHtml(pathname)}"><label for="token">${words.paste.replace("{code}", "<code>?token=</code>")}</label>
<div><input id="token" name="token" type="password" autocomplete="off" required autofocus><button>${words.signIn}</button></div></form>`;
  const refused = code === "host" ? words.otherHost : words.otherOrigin;
  const query = new URLSearchParams(searchParams);
  for (const secret of ["token", "ticket"]) query.delete(secret);
  const to = ownPath(`${pathname}?${query}`);
  const signIn = hasAccounts ? signInForms({ accepted, provider, to }) : tokenForm;
  const toDo = hasAccounts ? words.aboutAccounts : words.about;
  const about = isSignedOut ? toDo : refused.replace("{address}", peoplesAddress(own));
  const title = isSignedOut ? words.signedOut : words.notHere;
  return plainPage(
    status,
    title,
    `<style>${SIGNED_OUT_STYLE}</style><main>${MARK}<h1>${title}</h1>
${tried}<p>${escapeHtml(about)}</p>${isSignedOut ? signIn : ""}</main>`,
    { language: tag, ...(isSignedOut && hasAccounts ? { script: PASSKEY_SCRIPT } : {}) },
  );
}
