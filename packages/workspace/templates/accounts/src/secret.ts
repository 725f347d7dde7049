import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.env.DATA_FOLDER ?? ".data";
const file = join(folder, ".env");

/**
 * Signs the cookies of sessions. BETTER_AUTH_SECRET where the environment has it; otherwise made at the first start and kept
 * beside the app's data, so that each environment has its own and none is ever in a repository.
 */
export function authSecret(): string {
  const given = process.env.BETTER_AUTH_SECRET;
  if (given) return given;
  mkdirSync(folder, { recursive: true });
  try {
    // Of two that start at once one writes.
    writeFileSync(file, `BETTER_AUTH_SECRET=${randomBytes(32).toString("base64url")}\n`, {
      flag: "wx",
      mode: 0o600,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const kept = /^BETTER_AUTH_SECRET=(\S{32,})$/m.exec(readFileSync(file, "utf8"))?.[1];
  if (kept === undefined) throw new Error(`${file} holds no BETTER_AUTH_SECRET. Remove it, and a new one is made.`);
  return kept;
}
