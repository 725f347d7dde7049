import type { AccountTables, Sealer } from "@treadle/store";
import type { Kysely } from "kysely";
import { digestOf, newSecret } from "../secret.ts";

/** What is begun in one request and ended in another, such as a sign-in at the identity provider. */
export type ExchangeKind = "oidc";

/** Steps of a sign-in that a browser has begun. Each can be ended once, by whoever has its secret. */
export interface Exchanges {
  /** @returns the secret for the browser */
  begin(kind: ExchangeKind, data: object, validMs: number): Promise<string>;
  /** What was begun. Of several requests at once, one gets it; undefined if it has expired. */
  take<Data extends object>(kind: ExchangeKind, secret: string): Promise<Data | undefined>;
}

export function createExchanges(parts: {
  db: Kysely<AccountTables>;
  sealer(): Sealer;
  now: () => number;
}): Exchanges {
  const { db, sealer, now } = parts;
  const place = (kind: ExchangeKind, id: string) => `${kind}:${id}`;
  return {
    async begin(kind, data, validMs) {
      const secret = newSecret();
      const id = digestOf(secret);
      const at = now();
      await db.deleteFrom("sign_in_links").where("expires_at", "<=", at).execute();
      await db
        .insertInto("sign_in_links")
        .values({
          id,
          purpose: kind,
          terms: sealer().seal(JSON.stringify(data), place(kind, id)),
          created_by: null,
          created_at: at,
          expires_at: at + validMs,
        })
        .execute();
      return secret;
    },
    async take<Data extends object>(kind: ExchangeKind, secret: string) {
      const id = digestOf(secret);
      const rows = db.deleteFrom("sign_in_links").where("id", "=", id).where("purpose", "=", kind);
      // Only the request that deletes the row gets what it contains.
      const row = await rows.returning(["terms", "expires_at"]).executeTakeFirst();
      if (!row || row.expires_at <= now()) return undefined;
      const opened = sealer().open(row.terms, place(kind, id));
      return opened === undefined ? undefined : (JSON.parse(opened) as Data);
    },
  };
}
