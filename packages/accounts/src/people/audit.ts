import type { AuditFilter } from "@treadle/protocol";
import type { SignedInVia } from "@treadle/protocol/accounts";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import { newId } from "../secret.ts";

export interface AuditEntry {
  /** Milliseconds since 1970. */
  at: number;
  /** The person's id, and their name at that time. */
  person: string;
  name: string;
  via: SignedInVia;
  /** The action's name, or `sign-in`. */
  action: string;
  /** What was asked: a method and the pattern of an address. */
  what: string;
  /** The values in that address, such as the project. Never a secret. */
  values: Record<string, string>;
}

/** Characters of an id that are the time, and the count within a millisecond, so that ids sort as entries came. */
const TIME_CHARS = 10;
const COUNT_CHARS = 4;

/** What was done on this server that others may have to answer for. It is only appended to. */
export interface AuditLog {
  append(entry: Omit<AuditEntry, "at">): Promise<void>;
  /** Calls the listener after each entry of this process. */
  onAppend(listener: () => void): () => void;
  /** Entries after one, oldest first. @param after empty: from the beginning */
  readAfter(after: string, limit: number): Promise<(AuditEntry & { id: string })[]>;
  /** Entries that match, before one, newest first. @param limit at most 1,000 */
  read(options: {
    filter?: AuditFilter;
    before?: string | undefined;
    limit: number;
  }): Promise<(AuditEntry & { id: string })[]>;
}

export function createAuditLog(db: Kysely<AccountTables>, now: () => number): AuditLog {
  let time = 0;
  let count = 0;
  function nextId(at: number): string {
    // Also in order when the machine's clock is set back.
    count = at > time ? 0 : count + 1;
    time = Math.max(time, at);
    const digits = (value: number, length: number) => value.toString(36).padStart(length, "0");
    return `${digits(time, TIME_CHARS)}${digits(count, COUNT_CHARS)}${newId()}`;
  }
  const listeners = new Set<() => void>();
  const toEntry = ({ id, at, entry }: AccountTables["audit"]) => ({
    id,
    at,
    ...(JSON.parse(entry) as Omit<AuditEntry, "at">),
  });
  return {
    onAppend(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async readAfter(after, limit) {
      const query = db.selectFrom("audit").selectAll().where("id", ">", after);
      return (await query.orderBy("id").limit(limit).execute()).map(toEntry);
    },
    async append(entry) {
      const at = now();
      const id = nextId(at);
      await db
        .insertInto("audit")
        .values({
          id,
          at,
          person: entry.person,
          action: entry.action,
          entry: JSON.stringify(entry),
        })
        .execute();
      for (const listener of listeners) listener();
    },
    async read({ filter: { person, action, from, to } = {}, before, limit }) {
      let query = db.selectFrom("audit").selectAll().orderBy("id", "desc").limit(limit);
      if (before !== undefined) query = query.where("id", "<", before);
      if (person !== undefined) query = query.where("person", "=", person);
      if (action !== undefined) query = query.where("action", "=", action);
      if (from !== undefined) query = query.where("at", ">=", from);
      if (to !== undefined) query = query.where("at", "<", to);
      return (await query.execute()).map(toEntry);
    },
  };
}
