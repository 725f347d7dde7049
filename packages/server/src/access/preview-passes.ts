import { createHash, randomBytes } from "node:crypto";
import { parse, serialize } from "hono/utils/cookie";
import type { Signer } from "@treadle/store";

/** The pass's cookie. The gateway recognises the prefix of Treadle's cookies: no app receives or sets one. */
const NAME = "__Host-treadle-preview";
/** How long a ticket is valid, in milliseconds. */
const TICKET_MS = 60_000;
/** Maximum number of valid tickets. */
const TICKETS = 4_000;
const YEAR_S = 365 * 24 * 60 * 60;

/**
 * The credentials that a browser sends to a preview's public host: a ticket in the address, once, and from then on
 * a cookie of that host. Both are for one host and one session, and are useless after the session has ended.
 */
export interface PreviewPasses {
  /** Creates a ticket, which is valid for one minute. @param host the Host header of the preview, with its port */
  giveTicket(host: string, session: string): string;
  /**
   * The session of a ticket; undefined if the ticket is unknown, has expired, or is for another host. It is used up
   * in any case.
   */
  takeTicket(ticket: string, host: string): string | undefined;
  /** The value of the `Set-Cookie` header for a pass. */
  cookie(host: string, session: string): string;
  /**
   * The session of the pass in a complete Cookie header, which may have ended; undefined without a pass for this
   * host.
   */
  sessionIn(cookie: string | undefined, host: string): string | undefined;
}

export function createPreviewPasses(signer: () => Signer, now: () => number): PreviewPasses {
  const tickets = new Map<string, { host: string; session: string; until: number }>();
  const parts = (host: string, session: string) => ["preview-pass", host.toLowerCase(), session];
  return {
    giveTicket(host, session) {
      const ticket = randomBytes(32).toString("base64url");
      tickets.set(digestOf(ticket), {
        host: host.toLowerCase(),
        session,
        until: now() + TICKET_MS,
      });
      if (tickets.size > TICKETS) tickets.delete(tickets.keys().next().value ?? "");
      return ticket;
    },
    takeTicket(ticket, host) {
      const key = digestOf(ticket);
      const found = tickets.get(key);
      tickets.delete(key);
      const isValid = found && now() <= found.until && found.host === host.toLowerCase();
      return isValid ? found.session : undefined;
    },
    // In a frame on another site's page, browsers only send cookies that are partitioned by that site.
    cookie: (host, session) =>
      serialize(NAME, `${session}.${signer().sign(parts(host, session))}`, {
        path: "/",
        httpOnly: true,
        secure: true,
        sameSite: "None",
        partitioned: true,
        maxAge: YEAR_S,
      }),
    sessionIn(cookie, host) {
      const value = parse(cookie ?? "", NAME)[NAME] ?? "";
      const at = value.indexOf(".");
      const session = value.slice(0, Math.max(0, at));
      const isSigned = at > 0 && signer().isSigned(parts(host, session), value.slice(at + 1));
      return isSigned ? session : undefined;
    },
  };
}

/**
 * The key under which a ticket is stored: a digest, so that the time of a look-up reveals nothing about other
 * tickets.
 */
const digestOf = (ticket: string) => createHash("sha256").update(ticket).digest("base64url");
