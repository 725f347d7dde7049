import { parse, serialize } from "hono/utils/cookie";
import type { Signer } from "@treadle/store";
import type { StoredShare } from "./stored-share.ts";

/** The cookie's name. It has the common prefix of Treadle's cookies: no app receives or sets it. */
const NAME = "treadle-share";
const DAY_MS = 24 * 60 * 60 * 1000;
/** How long an opened link stays open in a browser: with a password, and without. */
const VALID_MS = { locked: DAY_MS / 2, open: 30 * DAY_MS };

/** Cookies of browsers that opened a link: on the link's own host, and valid for that link only. */
export interface GuestPasses {
  /**
   * The `Set-Cookie` value for a browser that opened a link.
   * @param secure whether the browser uses TLS
   */
  give(share: StoredShare, secure: boolean): string;
  /**
   * Whether a browser has opened the link.
   * @param cookie the complete Cookie header
   */
  holds(share: StoredShare, cookie: string | undefined): boolean;
}

export function createGuestPasses(
  signer: Pick<Signer, "sign" | "isSigned">,
  now: () => number,
): GuestPasses {
  const parts = ({ id, password }: StoredShare, until: string) => [
    "share-pass",
    id,
    password?.hash ?? "",
    until,
  ];
  return {
    give(share, secure) {
      const longest = now() + VALID_MS[share.password ? "locked" : "open"];
      const until = Math.min(longest, share.until ?? longest);
      return serialize(NAME, `${until}.${signer.sign(parts(share, String(until)))}`, {
        path: "/",
        httpOnly: true,
        sameSite: "Lax",
        secure,
        maxAge: Math.max(1, Math.floor((until - now()) / 1000)),
      });
    },
    holds(share, cookie) {
      const value = parse(cookie ?? "", NAME)[NAME] ?? "";
      const at = value.indexOf(".");
      const until = value.slice(0, at);
      return (
        /^\d{1,16}$/.test(until) &&
        Number(until) > now() &&
        signer.isSigned(parts(share, until), value.slice(at + 1))
      );
    },
  };
}
