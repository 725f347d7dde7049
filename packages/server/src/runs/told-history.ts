import { conversationOf, type ProjectState } from "@treadle/protocol/fold";
import type { StoredMessage } from "@treadle/store";

/**
 * The messages for a model: leaves out everything that a return to an earlier point has hidden,
 * with the answers. Messages from before the first run (an imported conversation) are always
 * included.
 * @param stored in the order of creation
 */
export function toldHistory(
  view: Pick<ProjectState, "said" | "head">,
  stored: readonly StoredMessage[],
): StoredMessage[] {
  const path = conversationOf(view);
  let isTold = true;
  return stored.filter(({ id }) => {
    // What follows a message belongs to it: answers, messages during the run, a summary.
    if (view.said.has(id)) isTold = path.has(id);
    return isTold;
  });
}
