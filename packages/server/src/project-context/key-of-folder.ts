import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** In a data folder: 32 random bytes in hexadecimal. */
const FILE = "folders-key";

/**
 * The key with which a person's own folder hashes its `.env` files. A command in the folder and the server each keep a
 * project of it, and what one has verified has to be the same revision for the other.
 * @param shared the data folder of the server, absolute; the key behind all of these is made in it
 * @param directory the folder, absolute
 */
export function keyOfFolder(shared: string, directory: string): string {
  return createHmac("sha256", Buffer.from(keyIn(shared), "hex"))
    .update(directory)
    .digest("hex");
}

function keyIn(shared: string): string {
  const file = join(shared, FILE);
  mkdirSync(shared, { recursive: true });
  try {
    // A command and the server may create it at the same time; the first one wins.
    writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8");
}
