import type { LogEvent } from "@treadle/protocol";
import { createLogFold, type LogFold } from "@treadle/protocol/fold";
import type { Store } from "@treadle/store";

/**
 * A project's current state from its whole log, which can be continued. Skips the pieces of long
 * texts, which do not affect it and are most of a log.
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
