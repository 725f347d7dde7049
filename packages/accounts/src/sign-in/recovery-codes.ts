import { randomInt } from "node:crypto";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import { digestOf, newId } from "../secret.ts";

/** Number of codes that a person gets at once. */
const CODES = 10;
/** Letters and digits that are not mistaken for one another; 16 of them have 80 bits. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_CHARS = 4;

/** Codes for whoever has lost their authenticator app. Each works once. */
export interface RecoveryCodes {
  /** Replaces all of a person's codes by new ones, which are not readable afterwards. */
  create(person: string): Promise<string[]>;
  /** Uses a code up, in any spelling. Of several requests at once, one gets true. */
  take(person: string, code: string): Promise<boolean>;
  remove(person: string): Promise<void>;
}

/** The number of unused codes in a stored value. */
export const codesLeft = (value: string): number => (JSON.parse(value) as string[]).length;

export function createRecoveryCodes(db: Kysely<AccountTables>, now: () => number): RecoveryCodes {
  const digest = (person: string, code: string) =>
    digestOf(`recovery:${person}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, "")}`);
  const remove = async (person: string, on: Kysely<AccountTables> = db) =>
    void (await on
      .deleteFrom("credentials")
      .where("person", "=", person)
      .where("kind", "=", "recovery")
      .execute());
  return {
    async create(person) {
      const codes = Array.from({ length: CODES }, newCode);
      const value = JSON.stringify(codes.map((code) => digest(person, code)));
      const row = { id: newId(), person, kind: "recovery" as const, name: "recovery", value, created_at: now(), used_at: null }; // prettier-ignore
      await db.transaction().execute(async (transaction) => {
        await remove(person, transaction);
        await transaction.insertInto("credentials").values(row).execute();
      });
      return codes;
    },
    async take(person, code) {
      const row = await db
        .selectFrom("credentials")
        .selectAll()
        .where("person", "=", person)
        .where("kind", "=", "recovery")
        .executeTakeFirst();
      if (!row) return false;
      const stored = JSON.parse(row.value) as string[];
      const given = digest(person, code);
      if (!stored.includes(given)) return false;
      const { numUpdatedRows } = await db
        .updateTable("credentials")
        .set({ value: JSON.stringify(stored.filter((one) => one !== given)), used_at: now() })
        .where("id", "=", row.id)
        .where("value", "=", row.value)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    remove,
  };
}

function newCode(): string {
  const group = () =>
    Array.from({ length: GROUP_CHARS }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}
