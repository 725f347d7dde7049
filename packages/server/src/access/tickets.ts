import { randomBytes } from "node:crypto";

/** How long a ticket is valid, in milliseconds. */
const VALID_MS = 60_000;
/** Maximum number of valid tickets. */
const MOST = 8;

/**
 * Short-lived one-time replacements for the token. A program opens a browser with the address as an argument, which
 * every user of this machine can read, so that address has a ticket in place of the token.
 */
export function createTickets(now: () => number = () => performance.now()) {
  const valid = new Map<string, { until: number; person: string }>();
  return {
    /** Creates a ticket. @param person the id of the person whom it signs in; empty for the server's owner */
    give(person = ""): string {
      const ticket = randomBytes(32).toString("base64url");
      valid.set(ticket, { until: now() + VALID_MS, person });
      if (valid.size > MOST) valid.delete(valid.keys().next().value ?? "");
      return ticket;
    },
    /**
     * The id of the person whom the ticket signs in, or empty for the owner; undefined if it is not valid, or was
     * used before.
     */
    take(ticket: string): string | undefined {
      const found = valid.get(ticket);
      valid.delete(ticket);
      return found && now() <= found.until ? found.person : undefined;
    },
  };
}
