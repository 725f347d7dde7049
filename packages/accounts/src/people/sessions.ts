import type { ServerRole } from "@treadle/protocol/accounts";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import type { Principal } from "../access/authorize.ts";
import { digestOf, newSecret } from "../secret.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a session lasts without a visit, and at most, in milliseconds. */
const IDLE_MS = 14 * DAY_MS;
const LONGEST_MS = 90 * DAY_MS;
/** How long a session counts as one that has only begun, in milliseconds. */
const FRESH_MS = 10 * 60 * 1000;
/** How exactly the last visit is recorded, in milliseconds, so that not every request writes. */
const SEEN_MS = 5 * 60 * 1000;
/** Maximum length of a browser's `User-Agent` as it is stored, in characters. */
const AGENT_CHARS = 300;

export interface Session {
  /** The session's id in lists, which signs nobody in. */
  id: string;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
  agent: string;
}

/** Browsers that are signed in. */
export interface Sessions {
  /**
   * Opens a session, and removes expired ones.
   * @param through the account at the identity provider, if the session is opened with one, and when the session
   * ends even if it is used
   * @returns the secret for the browser's cookie
   */
  open(
    person: string,
    agent: string | undefined,
    through?: { identity?: string; endsAt: number | undefined },
  ): Promise<string>;
  identify(secret: string): Promise<Principal | undefined>;
  /**
   * The principal of a session by its id, as it is now; undefined if the session has ended, or its person is
   * suspended. Counts as a visit.
   */
  find(id: string): Promise<Principal | undefined>;
  /**
   * Whether a session began within the last ten minutes, so that probably nobody else has taken over the browser.
   */
  isFresh(id: string): Promise<boolean>;
  /** Most recently used first. */
  list(person: string): Promise<Session[]>;
  /** Ends a session. @returns whether the person had such a session */
  end(person: string, id: string): Promise<boolean>;
  /** Ends all of a person's sessions, except one. */
  endAll(person: string, except?: string): Promise<void>;
  /** Ends all sessions that were opened with an account at the identity provider. */
  endWithIdentity(identity: string): Promise<void>;
}

export function createSessions(db: Kysely<AccountTables>, now: () => number): Sessions {
  const ofPerson = (person: string) =>
    db.selectFrom("sessions").selectAll().where("person", "=", person);
  async function find(id: string): Promise<Principal | undefined> {
    const row = await db
      .selectFrom("sessions")
      .innerJoin("people", "people.id", "sessions.person")
      .select(["sessions.id as session", "people.id as person", "people.role as role"])
      .select("people.guest_of as guestOf")
      .select([
        "sessions.created_at",
        "sessions.seen_at",
        "sessions.expires_at",
        "sessions.ends_at",
      ])
      .where("sessions.id", "=", id)
      .where("people.suspended", "is", null)
      .executeTakeFirst();
    const at = now();
    if (!row || row.expires_at <= at) return undefined;
    if (at - row.seen_at >= SEEN_MS)
      await db
        .updateTable("sessions")
        .set({
          seen_at: at,
          expires_at: Math.min(at + IDLE_MS, row.ends_at ?? row.created_at + LONGEST_MS),
        })
        .where("id", "=", row.session)
        .execute();
    return {
      person: row.person,
      role: row.role as ServerRole,
      via: "session",
      credential: row.session,
      ...(row.guestOf !== null && { nameless: true as const }),
    };
  }

  return {
    async open(person, agent = "", through) {
      const secret = newSecret();
      const at = now();
      await db.deleteFrom("sessions").where("expires_at", "<=", at).execute();
      await db
        .insertInto("sessions")
        .values({
          id: digestOf(secret),
          person,
          created_at: at,
          seen_at: at,
          expires_at: Math.min(at + IDLE_MS, through?.endsAt ?? Infinity),
          agent: agent.slice(0, AGENT_CHARS),
          identity: through?.identity ?? null,
          ends_at: through?.endsAt ?? null,
        })
        .execute();
      return secret;
    },
    identify: (secret) => find(digestOf(secret)),
    find,
    async isFresh(id) {
      const query = db.selectFrom("sessions").select("created_at").where("id", "=", id);
      const row = await query.executeTakeFirst();
      return row !== undefined && now() - row.created_at < FRESH_MS;
    },
    async list(person) {
      const rows = await ofPerson(person).orderBy("seen_at", "desc").execute();
      return rows
        .filter(({ expires_at }) => expires_at > now())
        .map((row) => ({
          id: row.id,
          createdAt: row.created_at,
          seenAt: row.seen_at,
          expiresAt: row.expires_at,
          agent: row.agent,
        }));
    },
    async end(person, id) {
      const query = db.deleteFrom("sessions").where("person", "=", person).where("id", "=", id);
      return (await query.executeTakeFirst()).numDeletedRows > 0n;
    },
    async endWithIdentity(identity) {
      await db.deleteFrom("sessions").where("identity", "=", identity).execute();
    },
    async endAll(person, except = "") {
      await db
        .deleteFrom("sessions")
        .where("person", "=", person)
        .where("id", "!=", except)
        .execute();
    },
  };
}
