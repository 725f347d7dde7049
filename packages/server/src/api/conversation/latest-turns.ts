import type { LogEntry } from "@treadle/protocol";
import type { Store } from "@treadle/store";

/** Number of entries below which a log is sent completely just as quickly. */
const SHORT = 1_000;

/**
 * The newest turns of a long log, sent first to a page that has nothing yet, so that it can show them before it has read
 * all. The whole log follows from its beginning. Undefined if the log is too short to gain from it, or if the turns
 * include a return to an earlier message: which turns that hides can only be told from the whole log.
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
