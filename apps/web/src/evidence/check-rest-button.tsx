import { unprovenItems } from "@treadle/protocol/evidence";
import { evidenceOf, statusOf } from "@treadle/protocol/fold";
import { sendMessage } from "../api/projects.ts";
import { currentActivity } from "../fold/phase.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { listed, words } from "../words/words.ts";
import { LeadButton } from "./lead-button.tsx";

/** Asks for checks of requested items that were not tried, except those that only the person can judge. */
export function CheckRestButton() {
  const project = useProjectId();
  const items = useView((view) => {
    if (statusOf(view) !== "runs" || currentActivity(view) !== undefined) return "";
    const open = unprovenItems(evidenceOf(view)).flatMap(({ what, why }) =>
      what === undefined || why === "by-eye" ? [] : [`“${what}”`],
    );
    return open.length === 0 ? "" : listed(open);
  });
  return (
    <LeadButton
      name={words.evidence.checkRest}
      about={words.evidence.checkRestAbout}
      command="checkRest"
      offered={items !== ""}
      act={() => sendMessage(project, { text: words.evidence.askChecks({ items }) })}
    />
  );
}
