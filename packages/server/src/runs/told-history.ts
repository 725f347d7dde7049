import { conversationOf, type ProjectState } from "@treadle/protocol/fold";
import type { StoredMessage } from "@treadle/store";

/**
 * The messages that a model is told: what was gone back from is left out, with everything that answered it. What came
 * before the first run (a conversation that was brought along) belongs to all.
 * @param stored in the order in which they were first put
 */
export function toldHistory(
  view: Pick<ProjectState, "said" | "head">,
  stored: readonly StoredMessage[],
): StoredMessage[] {
  const path = conversationOf(view);
  let isTold = true;
  return stored.filter(({ id }) => {
    // What follows a message belongs to it: answers, what was said meanwhile, a summary.
    if (view.said.has(id)) isTold = path.has(id);
    return isTold;
  });
}
