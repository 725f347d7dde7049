import type { AuditFilter } from "@treadle/protocol";
import type { SignedInVia } from "@treadle/protocol/accounts";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import { newId } from "../secret.ts";

export interface AuditEntry {
  /** Milliseconds since 1970. */
  at: number;
  /**
   * The person's id, and their name at that time. For a failed sign-in, the id is empty if nobody is known by the
   * name.
   */
  person: string;
  name: string;
  via: SignedInVia;
  /** The action's name, or `sign-in`, `sign-in.failed` or `sign-in.groups`. */
  action: string;
  /** A request's method and the pattern of its path; for a sign-in, how it was made. */
  what: string;
  /** The values in that path, such as the project, or for a sign-in its outcome. Never a secret. */
  values: Record<string, string>;
}

/**
 * Number of characters of an id for the time, and for the count within a millisecond, so that ids sort in the order
 * of entries.
 */
const TIME_CHARS = 10;
const COUNT_CHARS = 4;

/** The record of what people did on this server. Entries are only added. */
export interface AuditLog {
  append(entry: Omit<AuditEntry, "at">): Promise<void>;
  /** Calls the listener after each entry that this process adds. @returns a function that removes it */
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
    // Ids stay in order even if the machine's clock is set back.
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
