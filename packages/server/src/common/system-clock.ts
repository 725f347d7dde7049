import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@treadle/agent";

/** The machine's own clock. A sleep that is aborted rejects with the signal's reason. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};
