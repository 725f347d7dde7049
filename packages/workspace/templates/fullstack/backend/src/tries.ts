/** Wrong tries within a minute; kept in memory, so that a restart forgets them. */
const MOST = 10;
const MS = 60_000;
const tries = new Map<string, number[]>();

/** Whether one more try is allowed. @param who address and account */
export function mayTry(who: string): boolean {
  const since = Date.now() - MS;
  const recent = (tries.get(who) ?? []).filter((at) => at > since);
  if (recent.length === 0) tries.delete(who);
  return recent.length < MOST;
}

export function countWrong(who: string): void {
  tries.set(who, [...(tries.get(who) ?? []).slice(-MOST), Date.now()]);
}
