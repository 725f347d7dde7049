import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file in the data folder: 32 random bytes in hexadecimal. */
const FILE = "folders-key";

/**
 * The key with which `.env` files of a personal folder are hashed. A command in the folder and the server each have
 * a project for it, and a verified revision must have the same hash for both.
 * @param shared the server's data folder, absolute; it contains the key from which those of all folders are derived
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
