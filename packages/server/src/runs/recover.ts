import { sentence } from "@treadle/protocol/sentences";
import type { ProjectRecord, Store, StoredMessage } from "@treadle/store";
import { userMessage } from "./user-message.ts";
import { restarted } from "./server-stops.ts";
import { readView } from "../project-context/read-fold.ts";

/**
 * Logs the end of runs that a crash or a kill interrupted (F8): each unfinished or queued one becomes
 * `interrupted`, with its open calls. If a run waits for the person, that run and the queue behind it stay. Called
 * for each project when the server starts, and for one that is put back, before anything else is appended.
 */
export async function recoverProject(store: Store, project: ProjectRecord): Promise<void> {
  const { id, queue = [] } = project;
  if (queue.length === 0) return;
  const ended = new Set<string>();
  const known = new Set<string>();
  const { state: view } = await readView(store, id, (event) => {
    if (event.type === "run-end") ended.add(event.run);
    if (event.type === "message") known.add(event.message);
  });
  // A run that waits for the person keeps waiting, with the queue behind it.
  const [first, ...others] = queue;
  if (first && view.question && view.suspended?.run === first.run) {
    if (!first.waits)
      await store.projects.update(id, { queue: [{ ...first, waits: true }, ...others] });
    return;
  }
  const ms = 0;
  for (const item of queue) {
    const { run, message, text, by, model, started } = item;
    if (ended.has(run)) continue;
    if (!known.has(message))
      store.log.append(id, { type: "message", message, role: "user", text, by, queued: false });
    if (!started) await store.messages.put(id, userMessage(item) as StoredMessage);
    if (view.run === run)
      for (const call of view.openCalls)
        store.log.append(id, {
          type: "call-end",
          call,
          status: "interrupted",
          title: "Interrupted",
          result: "Treadle was stopped before this ended.",
          ms,
        });
    else store.log.append(id, { type: "run-start", run, message, model, dialect: "native" });
    store.log.append(id, {
      type: "run-end",
      run,
      outcome: "interrupted",
      ...restarted(sentence(started ? "interrupted" : "interrupted-before")),
      revision: view.revision ?? "",
      steps: 0,
      usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
      ms,
    });
  }
  await store.log.settled();
  await store.projects.update(id, { queue: undefined });
}
