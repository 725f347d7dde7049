import { once } from "node:events";
import type { Duplex } from "node:stream";

/**
 * A PostgreSQL client's first message, which asks whether the server encrypts
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SSL).
 */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const YES = "S".charCodeAt(0);
/** Time limit of the server's response, in milliseconds. */
const ANSWER_MS = 15_000;

export const isPostgresStart = (bytes: Buffer): boolean => bytes.equals(SSL_REQUEST);

/**
 * Sends the client's encryption request to the server. @returns whether the server encrypts; the client has received its
 * answer
 */
export async function passPostgresStart(client: Duplex, server: Duplex): Promise<boolean> {
  server.write(SSL_REQUEST);
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answered = once(server.resume(), "data", { signal }) as Promise<[Buffer]>;
  const [answer] = await answered.catch(() => [Buffer.alloc(0)]);
  server.pause();
  // More than one byte arrived before encryption, and would be mistaken for encrypted data.
  if (answer.length !== 1 || answer[0] !== YES) return false;
  client.write(answer);
  return true;
}
