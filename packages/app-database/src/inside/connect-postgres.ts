import { Client, type QueryArrayResult } from "pg";
import type { Statement } from "./split-sql.ts";
import { SqlFailure } from "./types.ts";

/** Values as PostgreSQL itself writes them: dates and numbers stay what they are in the database. */
const AS_WRITTEN = { getTypeParser: () => (value: string) => value };

/**
 * A connection to the app's database.
 * @param how.asWritten whether values are given as PostgreSQL writes them, and not as those of JavaScript; default true
 * @throws Error with a sentence
 */
export async function connectPostgres({ asWritten = true } = {}): Promise<Client> {
  // Who it is and which database it gets is said by the address it comes from.
  const client = new Client({
    application_name: "treadle-db",
    types: asWritten ? AS_WRITTEN : undefined,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`PostgreSQL cannot be reached: ${(error as Error).message}`, { cause: error });
  }
  return client;
}

/** One statement; values as text, rows as lists. */
export const queryRows = (
  client: Client,
  sql: string,
  values: unknown[] = [],
): Promise<QueryArrayResult<unknown[]>> =>
  client.query<unknown[]>({ text: sql, values, rowMode: "array" });

/** @throws SqlFailure where it would begin or end one */
export function refuseTransaction({ sql, line }: Statement): void {
  if (/^(?:BEGIN|START\s+TRANSACTION|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE)\b/i.test(sql))
    throw new SqlFailure(
      "It already runs in a transaction: leave out BEGIN, COMMIT and the like.",
      line,
    );
}
