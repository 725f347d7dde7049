import type { LogEntry } from "@treadle/protocol";
import type { Store } from "../types.ts";

/** Yields every entry of a project's log with full texts, a few at a time. */
export async function* wholeLog(
  store: Pick<Store, "log">,
  project: string,
  after = 0,
): AsyncGenerator<LogEntry> {
  for (let read = after; ;) {
    const page = await store.log.readWhole(project, read);
    const last = page.at(-1);
    if (!last) return;
    yield* page;
    read = last.seq;
  }
}
