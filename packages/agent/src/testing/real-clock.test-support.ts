import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../ports/clock.ts";

/** A clock in which time really passes, for tests with sockets. */
export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
};
