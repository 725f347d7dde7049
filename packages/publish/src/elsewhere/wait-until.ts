import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import type { Sending } from "./target.ts";

/** How often it is asked what became of a deployment, and for how long, in milliseconds. */
const EVERY_MS = 1_500;
const LONGEST_MS = 20 * 60_000;

/**
 * Asks until there is an answer.
 * @param look undefined: not yet
 * @throws ApiFailure `host-late`; what `look` throws
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
