import { rows } from "./db.ts";

/** Wrong passwords within a minute, after which none is tried; kept in the database, so that a restart forgets none. */
const MOST = 5;

/** Whether one more try is allowed. @param who address and account */
export async function mayTry(who: string): Promise<boolean> {
  const [found] = await rows<{ count: number }>(
    "SELECT count(*)::int AS count FROM wrong_tries WHERE who = $1 AND at > now() - interval '1 minute'",
    who,
  );
  return found!.count < MOST;
}

export async function countWrong(who: string): Promise<void> {
  await rows("DELETE FROM wrong_tries WHERE at < now() - interval '1 minute'");
  await rows("INSERT INTO wrong_tries (who) VALUES ($1)", who);
}
