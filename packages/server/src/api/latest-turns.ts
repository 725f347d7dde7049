import type { LogEntry } from "@treadle/protocol";
import type { Store } from "@treadle/store";

/** Below so many entries the whole log is there as quickly. */
const SHORT = 1_000;

/**
 * What a page that knows nothing yet is told first: the newest turns of a long log, so that they are shown before all of
 * it was read; everything follows from the beginning on. Undefined where there is nothing to gain, or where what was gone
 * back from is among it: which turns those are shows only in the whole.
 */
export async function latestTurns(
  log: Store["log"],
  project: string,
): Promise<LogEntry[] | undefined> {
  if ((await log.head(project)) < SHORT) return undefined;
  const entries = await log.readLatest(project);
  const isPlain = entries.every(({ event }) => event.type !== "restored");
  return isPlain && entries.length > 0 ? entries : undefined;
}
