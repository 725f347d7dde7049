import { parse, serialize } from "hono/utils/cookie";
import type { Signer } from "@treadle/store";
import type { StoredShare } from "./stored-share.ts";

/** It begins as all of Treadle's do: no app is told of it, and none sets it. */
const NAME = "treadle-share";
const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a browser that opened a link need not do so again: with a password, and without. */
const VALID_MS = { locked: DAY_MS / 2, open: 30 * DAY_MS };

/** What a browser holds that has opened a link: a cookie of the link's own host, good for that link alone. */
export interface GuestPasses {
  /** A `Set-Cookie`. @param secure whether the browser speaks TLS with whoever stands in front */
  give(share: StoredShare, secure: boolean): string;
  /** @param cookie the whole Cookie header */
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
