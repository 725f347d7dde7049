/** Malformed frames, reproducible by seed. */
import { encodeFrame } from "../wire/frames.ts";

export type Random = () => number;

/** Random numbers from 0 (inclusive) to 1 (exclusive) (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)]!;

/** Values that are out of place in a frame. */
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  1e308,
  "",
  "..",
  "../../../../etc/cron.d/x",
  "/etc/passwd",
  "a/./b",
  "a//b",
  "a\0b",
  "constructor",
  "__proto__",
  "x".repeat(70_000),
  [],
  [null],
  [[]],
  {},
  { length: 1e9 },
  { toString: null },
  JSON.parse('{"__proto__":{"kind":"output"}}'),
];

/** Replaces a part of a value, at any depth, with something malformed. */
export function twist(random: Random, value: unknown): unknown {
  if (typeof value !== "object" || value === null || random() < 0.15) return pick(random, ODD);
  if (Array.isArray(value)) {
    if (value.length === 0 || random() < 0.2) return [...value, pick(random, ODD)];
    const at = Math.floor(random() * value.length);
    return value.map((item, index) => (index === at ? twist(random, item) : (item as unknown)));
  }
  const names = Object.keys(value);
  const name = pick(random, names) ?? "x";
  const way = random();
  const { [name]: field, ...others } = value as Record<string, unknown>;
  if (way < 0.15) return others;
  if (way < 0.25)
    return { ...value, [JSON.stringify(pick(random, ODD)).slice(0, 40)]: pick(random, ODD) };
  return { ...others, [name]: twist(random, field) };
}

/**
 * The bytes of a frame, sometimes with an invalid length, a header that is not JSON, or truncated.
 */
export function oddBytes(random: Random, header: unknown): Buffer {
  const bytes = Buffer.concat(
    encodeFrame(
      header,
      random() < 0.2 ? Buffer.alloc(Math.floor(random() * 2_000), 0xc3) : undefined,
    ),
  );
  const way = random();
  if (way < 0.05) bytes.writeUInt32BE(Math.floor(random() * 2 ** 32), 0);
  else if (way < 0.1) bytes.writeUInt32BE(Math.floor(random() * 2 ** 32), 4);
  else if (way < 0.15) bytes[8] = Math.floor(random() * 256);
  else if (way < 0.2) return bytes.subarray(0, Math.floor(random() * bytes.length));
  return bytes;
}
