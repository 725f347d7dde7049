import { judge } from "@treadle/protocol/evidence";
import { evidenceOf, statusOf } from "@treadle/protocol/fold";
import { sendMessage } from "../api/projects.ts";
import { currentActivity } from "../fold/phase.ts";
import type { ProjectView } from "../fold/types.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { askRepair } from "../project/ask-repair.ts";
import { useNarrow } from "../ui/use-narrow.ts";
import { words } from "../words/words.ts";
import { LeadButton } from "./lead-button.tsx";

const isBroken = (view: ProjectView): boolean =>
  statusOf(view) === "failed" &&
  currentActivity(view) === undefined &&
  judge(evidenceOf(view)).verdict === "failed";

/** Whether the header offers the repair, so that a pane need not. A narrow page has no room for it there. */
export function useIsFixLeading(): boolean {
  const offered = useView(isBroken);
  return !useNarrow() && offered;
}

/** Starts a repair of what is broken now, whatever the cause. */
export function FixButton() {
  const project = useProjectId();
  return (
    <LeadButton
      name={words.evidence.fix}
      command="fix"
      offered={useView(isBroken)}
      act={() => sendMessage(project, askRepair())}
    />
  );
}
