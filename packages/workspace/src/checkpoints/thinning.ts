import type { CheckpointRecord } from "../types.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/**
 * Checkpoints that may be removed, in rounds; each round is used only if the earlier ones were not enough. First all but
 * the last of each hour of the days before today, and all but the last of each day older than a week; then all but the
 * last of each day; then whole days, the oldest first, half of them at a time.
 * @param checkpoints in the order of creation
 * @param stays checkpoints that are never removed: those with a name or still in use
 * @param now milliseconds since 1970; today means younger than a day
 * @returns names; each round includes those of all earlier rounds
 */
export function thinningRounds(
  checkpoints: readonly CheckpointRecord[],
  stays: (record: CheckpointRecord) => boolean,
  now: number,
): string[][] {
  const newest = checkpoints.at(-1);
  const old = checkpoints.filter((one) => one !== newest && now - one.at >= DAY && !stays(one));
  const spared = (slot: (at: number) => number): Set<string> => {
    // Later ones of a slot take the place of earlier ones.
    const last = new Map(old.map((one) => [slot(one.at), one.checkpoint]));
    return new Set(last.values());
  };
  const hourly = (at: number) => Math.floor(at / HOUR);
  const daily = (at: number) => -Math.floor(at / DAY);
  const usual = spared((at) => (now - at < 7 * DAY ? hourly(at) : daily(at)));
  const days = spared(daily);
  const rounds = [usual, days].map((left) => toThin(old, left));
  for (let left = [...days]; left.length > 0;) {
    left = left.slice(Math.ceil(left.length / 2));
    rounds.push(toThin(old, new Set(left)));
  }
  return rounds.filter((round, index) => round.length > (rounds[index - 1]?.length ?? 0));
}

function toThin(old: readonly CheckpointRecord[], left: ReadonlySet<string>): string[] {
  return old.map(({ checkpoint }) => checkpoint).filter((name) => !left.has(name));
}
