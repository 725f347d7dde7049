import { randomBytes } from "node:crypto";

/** How long a ticket is valid, in milliseconds. */
const VALID_MS = 60_000;
/** Maximum number of valid tickets. */
const MOST = 8;

/**
 * Short-lived one-time replacements for the token. A browser is opened with its address as an
 * argument, which every user of this machine can read.
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
    /** Whether the ticket is valid, which ends with the first use. */
    take(ticket: string): boolean {
      const until = valid.get(ticket);
      valid.delete(ticket);
      return until !== undefined && now() <= until;
    },
  };
}
