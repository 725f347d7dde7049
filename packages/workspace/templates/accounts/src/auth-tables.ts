import { getMigrations } from "better-auth/db/migration";
import { auths } from "./auth.ts";

/**
 * better-auth's tables stand in `migrations/` as the app's own do, and follow its options: a plugin may want more of them.
 * @throws Error with the SQL for the next file of `migrations/`, where they lack something
 */
export async function requireAuthTables(): Promise<void> {
  const { toBeCreated, toBeAdded, compileMigrations } = await getMigrations(auths.http.options);
  if (toBeCreated.length + toBeAdded.length === 0) return;
  throw new Error(
    `The tables lack what better-auth's options want. Write this into the next file of migrations/:\n\n${await compileMigrations()}`,
  );
}
