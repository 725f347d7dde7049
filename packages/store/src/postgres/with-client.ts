import { connectionOptions, SET_SCHEMA, TextClient } from "./connection-options.ts";

/** Runs some work on a separate connection, and closes it. */
export async function withClient<T>(
  database: string,
  work: (client: TextClient) => Promise<T>,
): Promise<T> {
  const client = new TextClient(connectionOptions(database));
  try {
    await client.connect();
    await client.query(SET_SCHEMA);
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
