import { expect, it } from "vitest";
import type { CheckpointRecord } from "../types.ts";
import { thinningRounds } from "./thinning.ts";

const HOUR = 60 * 60_000;
const NOW = Date.UTC(2026, 5, 30, 12);

/** A checkpoint saved this many hours ago. */
const ago = (hours: number, name?: string): CheckpointRecord => ({
  checkpoint: `h${hours}`,
  revision: "",
  label: "",
  at: NOW - hours * HOUR,
  name,
});
const named = ({ name }: CheckpointRecord) => name !== undefined;

it("keeps all of today, the last of each hour of the past days, and the last of each day of the past weeks", () => {
  const checkpoints = [
    ago(24 * 9 + 3),
    ago(24 * 9 + 2),
    ago(24 * 9),
    ago(50.4),
    ago(50.3),
    ago(50.2),
    ago(49.2),
    ago(23),
    ago(22.9),
    ago(0),
  ];
  const [first] = thinningRounds(checkpoints, named, NOW);
  expect(first).toEqual([`h${24 * 9 + 3}`, `h${24 * 9 + 2}`, "h50.4", "h50.3"]);
});

it("then keeps one per day, then the newer half of the days, and so on until none is left", () => {
  const checkpoints = [
    ...[8, 7, 6, 5].flatMap((day) => [ago(day * 24 + 1), ago(day * 24)]),
    ago(1),
  ];
  const rounds = thinningRounds(checkpoints, named, NOW).map((round) => round.length);
  expect(rounds).toEqual([2, 4, 6, 7, 8]);
});

it("never removes named checkpoints or the newest one", () => {
  const checkpoints = [ago(900, "first"), ago(899), ago(898, "v1"), ago(897)];
  expect(thinningRounds(checkpoints, named, NOW).at(-1)).toEqual(["h899"]);
  expect(thinningRounds([ago(900)], named, NOW)).toEqual([]);
});
