import { LOCAL_OWNER, type Accounts } from "@treadle/accounts";
import { sameToken } from "@treadle/common";
import type { AccessOptions } from "./check-access.ts";
import type { createTickets } from "./tickets.ts";

type Identification = Pick<AccessOptions, "hasAccounts" | "provider" | "identify" | "enter">;
type Tickets = ReturnType<typeof createTickets>;

/** Access to a server without accounts: the start-up token, or a ticket, signs in its only person. */
export const localAccess = (token: string, tickets: Tickets): Identification => ({
  hasAccounts: false,
  identify: ({ value }) => (sameToken(value, token) ? LOCAL_OWNER : undefined),
  async enter(given) {
    const enters =
      "token" in given ? sameToken(given.token, token) : tickets.take(given.ticket) !== undefined;
    return enters ? token : undefined;
  },
});

/**
 * Access to a server with accounts: people sign in with sessions, and programs with API tokens. Programs on this
 * machine may also read the start-up token from the data folder, and then act as the server's owner. A browser
 * cannot enter with that token, but with a ticket.
 */
export const accountAccess = (
  { sessions, tokens, owner, oidc }: Accounts,
  token: string,
  tickets: Tickets,
): Identification => ({
  hasAccounts: true,
  provider: oidc?.name,
  async identify({ kind, value = "" }) {
    if (kind === "cookie") return sessions.identify(value);
    if (!sameToken(value, token)) return tokens.identify(value);
    return { person: (await owner()).id, role: "owner", via: "local" };
  },
  async enter(given) {
    const person = "ticket" in given ? tickets.take(given.ticket) : undefined;
    if (person === undefined) return undefined;
    return sessions.open(person === "" ? (await owner()).id : person, undefined);
  },
});

/** How long the owner's sign-in address, which the terminal prints, is valid, in milliseconds. */
const OWNER_LINK_MS = 60 * 60 * 1000;

/** Creates an address with which the server's owner signs in once, within an hour. */
export async function createOwnerLink({ links, owner }: Accounts, origin: string): Promise<string> {
  const person = (await owner()).id;
  const { secret } = await links.create({ purpose: "sign-in", person }, { validMs: OWNER_LINK_MS });
  return `${origin}/enter?link=${secret}`;
}
