import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { Sending } from "./target.ts";

/** Polling interval and time limit for a deployment, in milliseconds. */
const EVERY_MS = 1_500;
const LONGEST_MS = 20 * 60_000;

/**
 * Polls until there is a result.
 * @param look returns undefined if there is none yet
 * @throws ApiFailure `host-late`; errors of `look`
 */
export async function waitUntil<Found>(
  name: string,
  look: () => Promise<Found | undefined>,
  { clock, signal }: Pick<Sending, "clock" | "signal">,
): Promise<Found> {
  for (let waited = 0; waited <= LONGEST_MS; waited += EVERY_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await clock.sleep(EVERY_MS, signal);
    signal.throwIfAborted();
  }
  throw new ApiFailure(504, "host-late", sentence("host-late", { name, minutes: 20 }));
}
