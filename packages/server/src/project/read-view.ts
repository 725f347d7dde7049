import type { LogEvent } from "@treadle/protocol";
import type { Store } from "@treadle/store";
import { emptyView, see, type ProjectView } from "./view.ts";

/** Entries that are held at once: a log may be longer than memory likes. */
const PAGE = 500;

/** What a project's whole log says about it now. */
export async function readView(
  store: Store,
  project: string,
  also: (event: LogEvent) => void = () => {},
): Promise<ProjectView> {
  const view = emptyView();
  for (let after = 0; ;) {
    const page = await store.log.read(project, after, PAGE);
    for (const { event } of page) {
      see(view, event);
      also(event);
    }
    const last = page.at(-1);
    if (!last) return view;
    after = last.seq;
  }
}
