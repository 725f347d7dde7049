import { statusOf } from "@treadle/protocol/fold";
import { checkAgain } from "../api/projects.ts";
import { currentActivity } from "../fold/phase.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { words } from "../words/words.ts";
import { LeadButton } from "./lead-button.tsx";

/** Offers to look at files that nobody has looked at yet, for example after a manual edit. */
export function CheckButton() {
  const project = useProjectId();
  const offered = useView(
    (view) =>
      statusOf(view) === "unverified" && currentActivity(view) === undefined && view.filesSeq > 0,
  );
  return (
    <LeadButton
      name={words.evidence.checkNow}
      command="check"
      offered={offered}
      act={() => checkAgain(project)}
    />
  );
}
