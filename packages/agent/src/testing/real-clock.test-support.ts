import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../ports/clock.ts";

/** For what speaks to a socket: time really passes there. */
export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
};
