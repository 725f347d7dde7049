import { compactNow, type RunRequest } from "@treadle/agent";
import type { StoredMessage } from "@treadle/store";
import type { ProjectContext } from "../project-context/project-context.ts";
import { toldHistory } from "./told-history.ts";

/**
 * Summarises an idle conversation with a model. Resolves with whether there was anything to
 * summarise. Rejects with the signal's reason when it is aborted; nothing is changed then.
 */
export async function compactConversation(
  { id, parts, view, append }: ProjectContext,
  modelId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const model = await parts.models.resolve(modelId, { project: id });
  const history = toldHistory(view, await parts.store.messages.list(id)) as RunRequest["history"];
  const now = parts.clock.now();
  const summary = await compactNow({
    history,
    model,
    clock: parts.clock,
    id: `summary-${now}`,
    signal,
  });
  signal.throwIfAborted();
  if (!summary) return false;
  const { note, text, before, after, usage } = summary;
  await parts.store.messages.put(id, note as StoredMessage);
  append({ type: "compacted", before, after, usage, text });
  await parts.store.log.settled();
  return true;
}
