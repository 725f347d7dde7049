import type { IdentityReport, IdentityOutcome } from "@treadle/protocol";
import type { ServerRole } from "@treadle/protocol/accounts";
import type { AccountTables, Sealer } from "@treadle/store";
import type { Kysely, Selectable } from "kysely";
import { newId } from "../secret.ts";

/** A person's account at the identity provider. */
export interface Identity {
  id: string;
  issuer: string;
  subject: string;
  /** The person's id on this server; undefined for somebody who was not let in. */
  person: string | undefined;
  /** The role that the person has without groups; undefined if only the provider let them in. */
  baseRole: ServerRole | undefined;
  /** The role that groups gave last; undefined if they gave none. */
  grantedRole: ServerRole | undefined;
  report: IdentityReport;
  triedAt: number;
  /** When the provider last confirmed the account. */
  confirmedAt: number;
}

/** Maximum number of refused accounts that are stored, so that an administrator sees why they were refused. */
const MAX_REFUSED = 100;

/** Accounts at the identity provider, by issuer and subject. */
export interface Identities {
  find(issuer: string, subject: string): Promise<Identity | undefined>;
  /**
   * At most 1,000, most recently confirmed first.
   * @param person undefined: of everybody, with those who were not let in
   */
  list(person?: string): Promise<Identity[]>;
  /** Creates an identity, or replaces what is stored of it. */
  save(
    identity: Omit<Identity, "id" | "triedAt" | "confirmedAt">,
    refreshToken: string | undefined,
  ): Promise<Identity>;
  /** Records the outcome of a refresh that failed. */
  recordOutcome(id: string, outcome: IdentityOutcome): Promise<void>;
  /**
   * Takes at most 100 identities whose last refresh was tried before a time, in milliseconds since 1970, and notes
   * that they are tried now. If several servers ask at once, each identity goes to one of them. Takes only
   * identities with which somebody is still signed in, or whose person has API tokens.
   */
  takeDue(before: number): Promise<{ identity: Identity; refreshToken: string }[]>;
  /** Removes a person's identity. @returns whether the person had it */
  remove(person: string, id: string): Promise<boolean>;
}

export function createIdentities(parts: {
  db: Kysely<AccountTables>;
  sealer(): Sealer;
  now: () => number;
}): Identities {
  const { db, sealer, now } = parts;
  type Row = Selectable<AccountTables["identities"]>;
  const toIdentity = (row: Row): Identity => ({
    id: row.id,
    issuer: row.issuer,
    subject: row.subject,
    person: row.person ?? undefined,
    baseRole: row.base_role ?? undefined,
    grantedRole: row.granted_role ?? undefined,
    report: JSON.parse(row.report) as IdentityReport,
    triedAt: row.tried_at,
    confirmedAt: row.confirmed_at,
  });
  const place = (id: string) => `oidc:${id}`;
  async function findRow(issuer: string, subject: string): Promise<Row | undefined> {
    const query = db.selectFrom("identities").selectAll().where("issuer", "=", issuer);
    return query.where("subject", "=", subject).executeTakeFirst();
  }
  async function forgetOldRefusals(): Promise<void> {
    const refused = db.selectFrom("identities").select("id").where("person", "is", null);
    const old = await refused.orderBy("confirmed_at", "desc").offset(MAX_REFUSED).limit(1_000).execute(); // prettier-ignore
    if (old.length === 0) return;
    const ids = old.map(({ id }) => id);
    await db.deleteFrom("identities").where("id", "in", ids).execute();
  }

  return {
    async find(issuer, subject) {
      const row = await findRow(issuer, subject);
      return row && toIdentity(row);
    },
    async list(person) {
      let query = db.selectFrom("identities").selectAll().orderBy("confirmed_at", "desc");
      if (person !== undefined) query = query.where("person", "=", person);
      return (await query.limit(1_000).execute()).map(toIdentity);
    },
    async save(identity, refreshToken) {
      const at = now();
      const id = (await findRow(identity.issuer, identity.subject))?.id ?? newId();
      const values = {
        person: identity.person ?? null,
        base_role: identity.baseRole ?? null,
        granted_role: identity.grantedRole ?? null,
        refresh_token: refreshToken === undefined ? null : sealer().seal(refreshToken, place(id)),
        report: JSON.stringify(identity.report),
        tried_at: at,
        confirmed_at: at,
      };
      const row = { id, issuer: identity.issuer, subject: identity.subject, ...values };
      await db
        .insertInto("identities")
        .values(row)
        .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doUpdateSet(values))
        .execute();
      if (row.person === null) await forgetOldRefusals();
      return toIdentity(row);
    },
    async recordOutcome(id, outcome) {
      const query = db.selectFrom("identities").select("report").where("id", "=", id);
      const row = await query.executeTakeFirst();
      if (!row) return;
      const report = { ...(JSON.parse(row.report) as IdentityReport), outcome };
      await db
        .updateTable("identities")
        .set({ report: JSON.stringify(report) })
        .where("id", "=", id)
        .execute();
    },
    async takeDue(before) {
      const rows = await db
        .selectFrom("identities")
        .selectAll()
        .where("tried_at", "<", before)
        .where("refresh_token", "is not", null)
        .where(({ exists, or, selectFrom }) =>
          or([
            exists(
              selectFrom("sessions")
                .select("sessions.id")
                .whereRef("sessions.identity", "=", "identities.id"),
            ),
            exists(
              selectFrom("api_tokens")
                .select("api_tokens.id")
                .whereRef("api_tokens.person", "=", "identities.person"),
            ),
          ]),
        )
        .limit(100)
        .execute();
      const taken = [];
      for (const row of rows) {
        const { numUpdatedRows } = await db
          .updateTable("identities")
          .set({ tried_at: now() })
          .where("id", "=", row.id)
          .where("tried_at", "=", row.tried_at)
          .executeTakeFirst();
        const refreshToken = sealer().open(row.refresh_token ?? "", place(row.id));
        if (numUpdatedRows > 0n && refreshToken !== undefined)
          taken.push({ identity: toIdentity(row), refreshToken });
      }
      return taken;
    },
    async remove(person, id) {
      const query = db.deleteFrom("identities").where("person", "=", person).where("id", "=", id);
      return (await query.executeTakeFirst()).numDeletedRows > 0n;
    },
  };
}
