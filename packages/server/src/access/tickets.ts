import { randomBytes } from "node:crypto";

/** Milliseconds for a browser to come up with it. */
const VALID_MS = 60_000;
/** Given out at a time. */
const MOST = 8;

/**
 * Words that stand for the token once, and for a short time. The address that a browser is opened with is an argument of
 * other programs, and everybody on this machine may read those.
 */
export function createTickets(now: () => number = () => performance.now()) {
  const valid = new Map<string, number>();
  return {
    give(): string {
      const ticket = randomBytes(32).toString("base64url");
      valid.set(ticket, now() + VALID_MS);
      if (valid.size > MOST) valid.delete(valid.keys().next().value ?? "");
      return ticket;
    },
    /** Whether it was given, is used for the first time, and in time. */
    take(ticket: string): boolean {
      const until = valid.get(ticket);
      valid.delete(ticket);
      return until !== undefined && now() <= until;
    },
  };
}
