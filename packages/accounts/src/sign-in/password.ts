import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { createSemaphore } from "@treadle/common";

/** Least and greatest length of a password, in characters (NIST SP 800-63B). */
export const PASSWORD_CHARS = { least: 10, most: 200 };
/** The cost of a hash, as OWASP recommends for argon2id; memory in KiB. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const SALT_BYTES = 16;
/** Maximum number of hashes computed at once, as each takes a thread and 19 MB. */
const AT_ONCE = 2;

const derive = promisify(argon2);
const turns = createSemaphore(AT_ONCE);

interface Stored {
  salt: string;
  tag: string;
  cost: typeof COST;
}

const compute = (password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> =>
  turns.hold(() =>
    derive("argon2id", { message: password.normalize("NFKC"), nonce: salt, ...cost }),
  );

/** Converts a password to the form in which it is stored: an argon2id hash with its salt and cost, as JSON. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await compute(password, salt, COST);
  const stored: Stored = { salt: salt.toString("base64"), tag: tag.toString("base64"), cost: COST };
  return JSON.stringify(stored);
}

/** Compared with if nobody has the name, so that a wrong name takes as long as a wrong password. */
const nobody: Stored = {
  salt: randomBytes(SALT_BYTES).toString("base64"),
  tag: randomBytes(COST.tagLength).toString("base64"),
  cost: COST,
};

/**
 * Whether a password is the stored one.
 * @param stored undefined for a person who has no password, or does not exist
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const { salt, tag, cost } = stored === undefined ? nobody : (JSON.parse(stored) as Stored);
  const found = await compute(
    password.slice(0, PASSWORD_CHARS.most),
    Buffer.from(salt, "base64"),
    cost,
  );
  return timingSafeEqual(found, Buffer.from(tag, "base64")) && stored !== undefined;
}
