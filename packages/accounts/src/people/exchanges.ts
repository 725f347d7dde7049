import type { AccountTables, Sealer } from "@treadle/store";
import type { Kysely } from "kysely";
import { digestOf, newSecret } from "../secret.ts";

/**
 * What is begun in one request and ended in another: a sign-in at the identity provider, a program's
 * request for a token with the code that a person types, and an answered challenge for a passkey.
 */
export type ExchangeKind = "oidc" | "device" | "user-code" | "passkey";

/** Steps of a sign-in that somebody has begun. Each can be ended once, by whoever has its secret. */
export interface Exchanges {
  /** Begins an exchange. @returns its secret, a new one unless it is given */
  begin(kind: ExchangeKind, data: object, validMs: number, secret?: string): Promise<string>;
  /**
   * Records that something was used, for as long as it could be used again.
   * @returns false if it was recorded already; of several requests at once, one gets true
   */
  claim(kind: ExchangeKind, secret: string, validMs: number): Promise<boolean>;
  /** The data of an exchange, without ending it; undefined if it has ended or expired. */
  peek<Data extends object>(kind: ExchangeKind, secret: string): Promise<Data | undefined>;
  /** Replaces the data of an exchange. */
  replace(kind: ExchangeKind, secret: string, data: object): Promise<void>;
  /**
   * Ends an exchange, and returns its data; undefined if it has ended or expired. Of several requests at once, one
   * gets the data.
   */
  take<Data extends object>(kind: ExchangeKind, secret: string): Promise<Data | undefined>;
  /** The number of exchanges of a kind that have neither ended nor expired. */
  count(kind: ExchangeKind): Promise<number>;
}

export function createExchanges(parts: {
  db: Kysely<AccountTables>;
  sealer(): Sealer;
  now: () => number;
}): Exchanges {
  const { db, sealer, now } = parts;
  const idOf = (kind: ExchangeKind, secret: string) => digestOf(`${kind}:${secret}`);
  const seal = (id: string, data: object) => sealer().seal(JSON.stringify(data), id);
  function open<Data extends object>(
    id: string,
    row: { terms: string; expires_at: number } | undefined,
  ): Data | undefined {
    if (!row || row.expires_at <= now()) return undefined;
    const opened = sealer().open(row.terms, id);
    return opened === undefined ? undefined : (JSON.parse(opened) as Data);
  }
  /** The row of a new exchange. Rows that have expired are removed first. */
  async function prepare(kind: ExchangeKind, data: object, validMs: number, secret: string) {
    const id = idOf(kind, secret);
    const at = now();
    await db.deleteFrom("sign_in_links").where("expires_at", "<=", at).execute();
    const terms = seal(id, data);
    return { id, purpose: kind, terms, created_by: null, created_at: at, expires_at: at + validMs };
  }
  return {
    async begin(kind, data, validMs, secret = newSecret()) {
      const row = await prepare(kind, data, validMs, secret);
      await db.insertInto("sign_in_links").values(row).execute();
      return secret;
    },
    async claim(kind, secret, validMs) {
      const row = await prepare(kind, {}, validMs, secret);
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("sign_in_links")
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows !== 0n;
    },
    async peek<Data extends object>(kind: ExchangeKind, secret: string) {
      const id = idOf(kind, secret);
      const rows = db.selectFrom("sign_in_links").select(["terms", "expires_at"]);
      return open<Data>(id, await rows.where("id", "=", id).executeTakeFirst());
    },
    async replace(kind, secret, data) {
      const id = idOf(kind, secret);
      await db
        .updateTable("sign_in_links")
        .set({ terms: seal(id, data) })
        .where("id", "=", id)
        .execute();
    },
    async take<Data extends object>(kind: ExchangeKind, secret: string) {
      const id = idOf(kind, secret);
      const rows = db.deleteFrom("sign_in_links").where("id", "=", id);
      // Only the request that deletes the row gets what it contains.
      return open<Data>(id, await rows.returning(["terms", "expires_at"]).executeTakeFirst());
    },
    async count(kind) {
      const rows = await db
        .selectFrom("sign_in_links")
        .select("id")
        .where("purpose", "=", kind)
        .where("expires_at", ">", now())
        .execute();
      return rows.length;
    },
  };
}
