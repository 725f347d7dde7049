import { Client, type QueryArrayResult } from "pg";
import type { Statement } from "./split-sql.ts";
import { SqlFailure } from "./types.ts";

/** Returns values in PostgreSQL's own text format, so that dates and numbers are unchanged. */
const AS_WRITTEN = { getTypeParser: () => (value: string) => value };

/**
 * Connects to the app's database.
 * @param how.asWritten whether to return values in PostgreSQL's format instead of JavaScript's;
 * default true
 * @throws Error with a message for people
 */
export async function connectPostgres({ asWritten = true } = {}): Promise<Client> {
  // The server determines user and database by the address of the connection.
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

/** Runs one statement; values as text, rows as arrays. */
export const queryRows = (
  client: Client,
  sql: string,
  values: unknown[] = [],
): Promise<QueryArrayResult<unknown[]>> =>
  client.query<unknown[]>({ text: sql, values, rowMode: "array" });

/** @throws SqlFailure if the statement would begin or end a transaction */
export function refuseTransaction({ sql, line }: Statement): void {
  if (/^(?:BEGIN|START\s+TRANSACTION|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE)\b/i.test(sql))
    throw new SqlFailure(
      "It already runs in a transaction: leave out BEGIN, COMMIT and the like.",
      line,
    );
}
