import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

const ROUNDS = 4_096;

/**
 * A password in PostgreSQL's stored form (RFC 5803, SCRAM-SHA-256), so that a server that logs
 * statements does not log the password.
 */
export function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, "sha256");
  const keyed = (word: string) => createHmac("sha256", salted).update(word).digest();
  const stored = createHash("sha256").update(keyed("Client Key")).digest("base64");
  const server = keyed("Server Key").toString("base64");
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString("base64")}$${stored}:${server}`;
}
