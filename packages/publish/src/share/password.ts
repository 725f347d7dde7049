import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";

/** A password as a salted hash. */
export interface KeptPassword {
  salt: string;
  hash: string;
}

/** About 50 ms and 16 MB per attempt. */
const COST: ScryptOptions = { N: 2 ** 14, r: 8, p: 1 };
const BYTES = 32;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

export async function keepPassword(password: string): Promise<KeptPassword> {
  const salt = randomBytes(16);
  const hash = await derive(normal(password), salt, BYTES, COST);
  return { salt: salt.toString("base64"), hash: hash.toString("base64") };
}

/** Whether a password is the stored one. Compares in constant time. */
export async function isPassword(given: string, stored: KeptPassword): Promise<boolean> {
  const hash = await derive(normal(given), Buffer.from(stored.salt, "base64"), BYTES, COST);
  return timingSafeEqual(hash, Buffer.from(stored.hash, "base64"));
}

/** Normalises a password, as systems encode the same letters in several ways. */
const normal = (password: string) => password.normalize("NFKC");
