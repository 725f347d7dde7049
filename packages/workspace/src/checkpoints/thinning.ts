import type { CheckpointRecord } from "../types.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/**
 * What may go, in rounds: each is taken only where those before it were not enough. First all but the last of each hour
 * of the days before today, and all but the last of each day a week ago and longer; then all but the last of each day;
 * then the days themselves, the oldest first, half of them at a time.
 * @param checkpoints in the order in which they were kept
 * @param stays never goes: what has a name, and what is still needed
 * @param now milliseconds since 1970; today is what is younger than a day
 * @returns names; of one round with those of all before it
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
