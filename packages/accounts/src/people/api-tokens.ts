import type { Scope, ServerRole } from "@treadle/protocol/accounts";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import type { Principal } from "../access/authorize.ts";
import { digestOf, newSecret } from "../secret.ts";

/** How an API token begins, so that scanners for secrets find one in a file. */
const PREFIX = "treadle_";
/** How exactly the last use is recorded, in milliseconds. */
const USED_MS = 5 * 60 * 1000;

export interface ApiToken {
  id: string;
  name: string;
  scopes: Scope[];
  createdAt: number;
  expiresAt?: number;
  usedAt?: number;
}

/** Tokens with which programs act for a person, within scopes. */
export interface ApiTokens {
  /** Creates a token. @returns its id, and the token itself, which is shown once */
  create(
    person: string,
    token: { name: string; scopes: readonly Scope[]; expiresAt?: number | undefined },
  ): Promise<{ id: string; token: string }>;
  identify(token: string): Promise<Principal | undefined>;
  /**
   * The principal of a token by its id, as it is now; undefined if the token has expired or was removed, or its
   * person is suspended. Counts as a use.
   */
  find(id: string): Promise<Principal | undefined>;
  list(person: string): Promise<ApiToken[]>;
  /** Removes a token. @returns whether the person had such a token */
  remove(person: string, id: string): Promise<boolean>;
}

export function createApiTokens(db: Kysely<AccountTables>, now: () => number): ApiTokens {
  async function find(id: string): Promise<Principal | undefined> {
    const row = await db
      .selectFrom("api_tokens")
      .innerJoin("people", "people.id", "api_tokens.person")
      .select(["api_tokens.id as token", "people.id as person", "people.role as role"])
      .select(["api_tokens.scopes", "api_tokens.expires_at", "api_tokens.used_at"])
      .where("api_tokens.id", "=", id)
      .where("people.suspended", "is", null)
      .executeTakeFirst();
    const at = now();
    if (!row || (row.expires_at !== null && row.expires_at <= at)) return undefined;
    if (at - (row.used_at ?? 0) >= USED_MS)
      await db.updateTable("api_tokens").set({ used_at: at }).where("id", "=", row.token).execute();
    return {
      person: row.person,
      role: row.role as ServerRole,
      via: "token",
      scopes: JSON.parse(row.scopes) as Scope[],
      credential: row.token,
    };
  }

  return {
    async create(person, { name, scopes, expiresAt }) {
      const token = newSecret(PREFIX);
      const id = digestOf(token);
      await db
        .insertInto("api_tokens")
        .values({
          id,
          person,
          name,
          scopes: JSON.stringify(scopes),
          created_at: now(),
          expires_at: expiresAt ?? null,
          used_at: null,
        })
        .execute();
      return { id, token };
    },
    identify: async (token) => (token.startsWith(PREFIX) ? find(digestOf(token)) : undefined),
    find,
    async list(person) {
      const query = db.selectFrom("api_tokens").selectAll().where("person", "=", person);
      return (await query.orderBy("created_at", "desc").execute()).map((row) => ({
        id: row.id,
        name: row.name,
        scopes: JSON.parse(row.scopes) as Scope[],
        createdAt: row.created_at,
        ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
        ...(row.used_at === null ? {} : { usedAt: row.used_at }),
      }));
    },
    async remove(person, id) {
      const query = db.deleteFrom("api_tokens").where("person", "=", person).where("id", "=", id);
      return (await query.executeTakeFirst()).numDeletedRows > 0n;
    },
  };
}
