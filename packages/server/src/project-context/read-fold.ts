import type { LogEvent } from "@treadle/protocol";
import { createLogFold, type LogFold } from "@treadle/protocol/fold";
import type { Store } from "@treadle/store";

/**
 * Reads a project's current state from its whole log; the result can take further events. Skips the pieces of long
 * texts, which do not affect the state and are most of a log.
 * @param also called with each event that is read
 */
export async function readView(
  store: Store,
  project: string,
  also: (event: LogEvent) => void = () => {},
): Promise<LogFold> {
  const fold = createLogFold();
  for (let after = 0; ;) {
    const page = await store.log.readFacts(project, after);
    for (const { event, at } of page) {
      fold.add(event, at);
      also(event);
    }
    const last = page.at(-1);
    if (!last) return fold;
    after = last.seq;
  }
}
