import { unprovenItems } from "@treadle/protocol/evidence";
import { evidenceOf, statusOf } from "@treadle/protocol/fold";
import { sendMessage } from "../api/projects.ts";
import { currentActivity } from "../fold/phase.ts";
import type { ProjectView } from "../fold/types.ts";
import { useLiveStore, useProjectId, useView } from "../live/live-context.tsx";
import { listed, words } from "../words/words.ts";
import { LeadButton } from "./lead-button.tsx";

/** Asks for checks of requested items that were not tried, except those that only the person can judge. */
export function CheckRestButton() {
  const project = useProjectId();
  const store = useLiveStore();
  const isOffered = useView((view) => untriedItems(view).length > 0);
  const ask = () => {
    const prove = untriedItems(store.getState().view);
    const items = listed(prove.map((what) => `“${what}”`));
    return sendMessage(project, { text: words.evidence.askChecks({ items }), prove });
  };
  return (
    <LeadButton
      name={words.evidence.checkRest}
      about={words.evidence.checkRestAbout}
      command="checkRest"
      offered={isOffered}
      act={ask}
    />
  );
}

/** Maximum number of items that one message asks to check. */
const ITEMS_ASKED = 20;

function untriedItems(view: ProjectView): string[] {
  if (statusOf(view) !== "runs" || currentActivity(view) !== undefined) return [];
  return unprovenItems(evidenceOf(view))
    .flatMap(({ what, why }) => (what === undefined || why === "by-eye" ? [] : [what]))
    .slice(0, ITEMS_ASKED);
}
