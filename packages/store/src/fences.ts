import type { Kysely, Transaction } from "kysely";
import type { Schema } from "./schema.ts";
import type { Write } from "./shared-commit.ts";
import { storeError } from "./store-error.ts";

interface Claim {
  epoch: number;
  /** Whether the database has refused a write of this epoch. */
  isLost: boolean;
}

/**
 * Refuses writes of a process that no longer owns what it writes. The database decides by the epoch of the lease, so a
 * process that was paused for longer than its lease writes nothing when it resumes. Until `start` nothing is fenced,
 * which is right for a database that one process has open.
 */
export interface Fences {
  isOn(): boolean;
  /** @param onLost called once for each claim that turns out to be over */
  start(onLost: (name: string, epoch: number) => void): void;
  claim(name: string, epoch: number): void;
  forget(name: string): void;
  /** The epoch in which this process owns it, or owned it last; undefined if it never did. */
  epochOf(name: string): number | undefined;
  /** Whether writes to it are fenced: this process owns it, or did. */
  isClaimed(name: string): boolean;
  isLost(name: string): boolean;
  /** Records that the database refused a write of that epoch. */
  lost(name: string, epoch: number | undefined): void;
  /**
   * Checks that this process owns it, and keeps others from taking it until the transaction ends.
   * @throws StoreError `not-owner`
   */
  check(transaction: Transaction<Schema>, name: string): Promise<void>;
  /** Runs a write that changes what this process owns or has owned; anything else is not fenced. */
  guard<T>(names: readonly string[], write: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
}

export function createFences(
  db: Kysely<Schema>,
  write: Write,
  dialect: "sqlite" | "postgres",
): Fences {
  const claims = new Map<string, Claim>();
  let onLost: ((name: string, epoch: number) => void) | undefined;
  const fences: Fences = {
    isOn: () => onLost !== undefined,
    start: (listener) => void (onLost = listener),
    claim: (name, epoch) => void claims.set(name, { epoch, isLost: false }),
    forget: (name) => void claims.delete(name),
    epochOf: (name) => claims.get(name)?.epoch,
    isClaimed: (name) => onLost !== undefined && claims.has(name),
    isLost: (name) => claims.get(name)?.isLost === true,
    lost(name, epoch) {
      const claim = claims.get(name);
      if (!claim || claim.isLost || claim.epoch !== epoch) return;
      claim.isLost = true;
      onLost?.(name, claim.epoch);
    },
    async check(transaction, name) {
      if (!onLost) return;
      const epoch = claims.get(name)?.epoch;
      if (epoch !== undefined) {
        const held = transaction
          .selectFrom("leases")
          .select("name")
          .where("name", "=", name)
          .where("epoch", "=", epoch)
          .where("server", "is not", null);
        // Transactions of SQLite come one after the other.
        const locked = dialect === "postgres" ? held.forShare() : held;
        if (await locked.executeTakeFirst()) return;
        fences.lost(name, epoch);
      }
      throw storeError("not-owner", name);
    },
    async guard(names, statement) {
      const owned = names.filter(fences.isClaimed);
      if (owned.length === 0) return statement(db);
      return write(async (transaction) => {
        for (const name of owned) await fences.check(transaction, name);
        return statement(transaction);
      });
    },
  };
  return fences;
}
