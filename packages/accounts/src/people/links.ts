import type { ProjectRole, ServerRole } from "@treadle/protocol/accounts";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import { digestOf, newSecret } from "../secret.ts";

/** What a link grants: a sign-in as somebody, or an account of one's own. */
export type LinkTerms =
  | { purpose: "sign-in"; person: string }
  | {
      purpose: "invitation";
      role: ServerRole;
      /** The address that the account gets; undefined if the person names one. */
      email?: string | undefined;
      /** A project in which the person gets a role. */
      project?: { id: string; role: ProjectRole } | undefined;
      /** A team that the person joins. */
      team?: { id: string; role: ProjectRole } | undefined;
    };

export interface OpenLink {
  id: string;
  terms: LinkTerms;
  createdAt: number;
  expiresAt: number;
}

/** The purposes of links. The table also contains exchanges, which a link's secret must not open. */
const PURPOSES: LinkTerms["purpose"][] = ["sign-in", "invitation"];

/** Links that work once. */
export interface Links {
  /** Creates a link. @returns its id, the secret in its address, and when it expires */
  create(
    terms: LinkTerms,
    options: { validMs: number; by?: string | undefined },
  ): Promise<{ id: string; secret: string; expiresAt: number }>;
  /** What a link would grant, without using it up; undefined if it is not valid. */
  peek(secret: string): Promise<LinkTerms | undefined>;
  /** Uses a link up. Undefined if it is not valid; of several requests at once, one gets the terms. */
  take(secret: string): Promise<LinkTerms | undefined>;
  /** Links that were not used yet, without their secrets. */
  list(purpose: LinkTerms["purpose"]): Promise<OpenLink[]>;
  remove(id: string): Promise<boolean>;
}

export function createLinks(db: Kysely<AccountTables>, now: () => number): Links {
  const termsOf = (row: AccountTables["sign_in_links"]) =>
    ({ purpose: row.purpose, ...(JSON.parse(row.terms) as object) }) as LinkTerms;
  const find = async (secret: string) => {
    const query = db.selectFrom("sign_in_links").selectAll().where("id", "=", digestOf(secret));
    const row = await query.where("purpose", "in", PURPOSES).executeTakeFirst();
    return row && row.expires_at > now() ? row : undefined;
  };
  const remove = async (id: string) => {
    const query = db.deleteFrom("sign_in_links").where("id", "=", id);
    return (await query.executeTakeFirst()).numDeletedRows > 0n;
  };
  return {
    async create({ purpose, ...terms }, { validMs, by }) {
      const secret = newSecret();
      const id = digestOf(secret);
      const at = now();
      await db.deleteFrom("sign_in_links").where("expires_at", "<=", at).execute();
      await db
        .insertInto("sign_in_links")
        .values({
          id,
          purpose,
          terms: JSON.stringify(terms),
          created_by: by ?? null,
          created_at: at,
          expires_at: at + validMs,
        })
        .execute();
      return { id, secret, expiresAt: at + validMs };
    },
    async peek(secret) {
      const row = await find(secret);
      return row && termsOf(row);
    },
    async take(secret) {
      const row = await find(secret);
      // Only the caller that deletes the row may use it.
      return row && (await remove(row.id)) ? termsOf(row) : undefined;
    },
    async list(purpose) {
      const query = db.selectFrom("sign_in_links").selectAll().where("purpose", "=", purpose);
      const rows = await query.orderBy("created_at").execute();
      return rows
        .filter(({ expires_at }) => expires_at > now())
        .map((row) => ({
          id: row.id,
          terms: termsOf(row),
          createdAt: row.created_at,
          expiresAt: row.expires_at,
        }));
    },
    remove,
  };
}
