import type { Principal } from "@treadle/accounts";
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { parse } from "hono/utils/cookie";
import { isOwnHost } from "@treadle/common";
import { isPeoplesHost, type OwnHosts, peoplesAddress } from "../server-address.ts";

/** The parts of a request or an upgrade that `checkAccess` reads. */
export interface AccessRequest {
  method: string;
  /** Whether it is a WebSocket upgrade. */
  upgrade: boolean;
  host: string | undefined;
  origin: string | undefined;
  authorization: string | undefined;
  /** The complete Cookie header. */
  cookie: string | undefined;
  fetchSite: string | undefined;
}

/** The credential of a request: a program's token, or the page's cookie. */
export type Credential = { kind: "bearer" | "cookie"; value: string | undefined };

export interface AccessOptions extends OwnHosts {
  /** The principal to whom a credential belongs; undefined if it is not valid. */
  identify(credential: Credential): Principal | undefined | Promise<Principal | undefined>;
  /** Exchanges the token or ticket in an address for the cookie's value; undefined if it is not valid. */
  enter(given: { token: string } | { ticket: string }): Promise<string | undefined>;
  /** Whether the server has accounts. If so, requests without a session reach the routes that need none. */
  hasAccounts: boolean;
  /** The identity provider's name; undefined if there is none. */
  provider?: string | undefined;
}

export type AccessAnswer =
  | { ok: true; principal: Principal }
  | { ok: false; status: 401 | 403; code: string; reason: Sentence };

const SAFE = new Set(["GET", "HEAD"]);

/**
 * The name of the session's cookie. It includes the port, since all ports of a machine share cookies. At a public
 * address its prefix makes browsers accept the cookie from this host only, and from no other name below its domain.
 */
export const cookieName = ({ port, people }: OwnHosts) =>
  people ? "__Host-treadle" : `treadle-${port ?? 0}`;

/** The name of the cookie with the mark of a browser that has signed in before. */
export const browserCookieName = ({ port, people }: OwnHosts) =>
  people ? "__Host-treadle-browser" : `treadle-browser-${port ?? 0}`;

/**
 * Checks Host, then Origin, then the credential, before anything else: 403 for the first two, 401 for the last.
 * With the cookie, write requests and sockets must also carry our own origin; a program that sends a token (Bearer)
 * needs no Origin header.
 */
export async function checkAccess(
  request: AccessRequest,
  { identify, ...own }: AccessOptions,
): Promise<AccessAnswer> {
  const { host, origin, authorization } = request;
  const isPeoples = host !== undefined && isPeoplesHost(host, own);
  // Programs on this machine may use the local port of a server with a public address; browsers may not.
  const isProgram = authorization !== undefined && host !== undefined && isOwnHost(host, own.port);
  if (!isPeoples && !isProgram)
    return refuse(403, "host", sentence("not-own-address", { address: peoplesAddress(own) }));
  const ownOrigin = isPeoples && own.people ? own.people.origin : `http://${host.toLowerCase()}`;
  if (origin !== undefined && origin !== ownOrigin)
    return refuse(403, "origin", sentence("other-origin"));
  if (request.fetchSite === "cross-site" || request.fetchSite === "same-site")
    return refuse(403, "origin", sentence("other-origin"));
  if (authorization !== undefined) {
    const value = /^Bearer (.*)$/i.exec(authorization)?.[1];
    return answerTo(await identify({ kind: "bearer", value }));
  }
  if (origin === undefined && (request.upgrade || !SAFE.has(request.method)))
    return refuse(403, "origin", sentence("token-needed"));
  const name = cookieName(own);
  const value = parse(request.cookie ?? "", name)[name];
  return answerTo(await identify({ kind: "cookie", value }));
}

const answerTo = (principal: Principal | undefined): AccessAnswer =>
  principal ? { ok: true, principal } : unsigned();

function refuse(status: 401 | 403, code: string, reason: Sentence): AccessAnswer {
  return { ok: false, status, code, reason };
}

const unsigned = (): AccessAnswer => refuse(401, "signed-out", sentence("not-signed-in"));
