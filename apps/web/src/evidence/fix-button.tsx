import { judge } from "@treadle/protocol/evidence";
import { evidenceOf, statusOf } from "@treadle/protocol/fold";
import { sendMessage } from "../api/projects.ts";
import { doing } from "../fold/phase.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { askRepair } from "../project/ask-repair.ts";
import { words } from "../words/words.ts";
import { LeadButton } from "./lead-button.tsx";

/** Starts the repair of what is broken now, whoever broke it. */
export function FixButton() {
  const project = useProjectId();
  const offered = useView(
    (view) =>
      statusOf(view) === "failed" &&
      doing(view) === undefined &&
      judge(evidenceOf(view)).verdict === "failed",
  );
  return (
    <LeadButton
      name={words.evidence.fix}
      command="fix"
      offered={offered}
      act={() => sendMessage(project, askRepair())}
    />
  );
}
