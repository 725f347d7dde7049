import { once } from "node:events";
import type { Duplex } from "node:stream";

/**
 * What a client of PostgreSQL says first: it asks whether the server encrypts
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SSL).
 */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const YES = "S".charCodeAt(0);
/** For the server to answer. Milliseconds. */
const ANSWER_MS = 15_000;

export const isPostgresStart = (bytes: Buffer): boolean => bytes.equals(SSL_REQUEST);

/** Has the server asked. @returns whether it encrypts, which the client was told then */
export async function passPostgresStart(client: Duplex, server: Duplex): Promise<boolean> {
  server.write(SSL_REQUEST);
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answered = once(server.resume(), "data", { signal }) as Promise<[Buffer]>;
  const [answer] = await answered.catch(() => [Buffer.alloc(0)]);
  server.pause();
  // More than the one byte came before it was encrypted, and would be taken for encrypted.
  if (answer.length !== 1 || answer[0] !== YES) return false;
  client.write(answer);
  return true;
}
