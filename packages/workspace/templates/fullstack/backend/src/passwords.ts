import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const derive = (password: string, salt: Buffer) =>
  new Promise<Buffer>((done, fail) =>
    scrypt(password.normalize("NFKC"), salt, 32, { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 }, (error, key) =>
      error ? fail(error) : done(key),
    ),
  );

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `${salt.toString("base64")}:${(await derive(password, salt)).toString("base64")}`;
}

/** Takes as long for somebody who is not there (`undefined`) as for a wrong password. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [salt = "", key = ""] = hash?.split(":") ?? [];
  const derived = await derive(password, Buffer.from(salt, "base64"));
  const kept = Buffer.from(key, "base64");
  return kept.length === derived.length && timingSafeEqual(kept, derived);
}
