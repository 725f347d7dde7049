import type { Kysely, Transaction } from "kysely";
import type { Schema } from "./schema.ts";

/** Runs a write and resolves with its result once it is durable. Writes that a caller awaits keep their order. */
export type Write = <T>(work: (transaction: Transaction<Schema>) => Promise<T>) => Promise<T>;

/** Maximum writes in one transaction, so that many do not block the thread. */
const GROUP = 200;

interface Waiting {
  run(transaction: Transaction<Schema>): Promise<void>;
  onCommitted(): void;
  failed(error: unknown): void;
}

/**
 * Lets concurrent writes share a transaction, because its cost is the disk sync at the end; writes gather while another
 * group is synced. If a group fails, each write is retried alone, and only the failed ones are rejected.
 */
export function createSharedCommit(db: Kysely<Schema>): {
  write: Write;
  /** Resolves when no write is in progress. */
  idle(): Promise<void>;
} {
  let waiting: Waiting[] = [];
  let going: Promise<void> | undefined;

  async function flush(): Promise<void> {
    // Writes requested in the same turn of the event loop are grouped.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP);
      waiting = waiting.slice(GROUP);
      try {
        await db.transaction().execute(async (transaction) => {
          for (const item of group) await item.run(transaction);
        });
        for (const item of group) item.onCommitted();
      } catch (error) {
        if (group.length === 1) group[0]!.failed(error);
        else for (const item of group) await alone(item);
      }
    }
    going = undefined;
  }

  async function alone(item: Waiting): Promise<void> {
    try {
      await db.transaction().execute((transaction) => item.run(transaction));
      item.onCommitted();
    } catch (error) {
      item.failed(error);
    }
  }

  return {
    write: <T>(work: (transaction: Transaction<Schema>) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        let result: T;
        waiting.push({
          run: async (transaction) => void (result = await work(transaction)),
          onCommitted: () => resolve(result),
          failed: reject,
        });
        going ??= flush();
      }),
    async idle() {
      while (going) await going;
    },
  };
}
