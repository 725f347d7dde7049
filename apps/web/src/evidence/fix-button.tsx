import { judge } from "@treadle/protocol/evidence";
import { evidenceOf, statusOf } from "@treadle/protocol/fold";
import { useState } from "react";
import { useCommand } from "../commands/available.ts";
import { keysHint } from "../commands/hint.ts";
import { noticeError } from "../ui/notice.ts";
import { sendMessage } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { doing } from "../fold/phase.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { askRepair } from "../project/ask-repair.ts";
import { words } from "../words/words.ts";

/** Starts the repair of what is broken now, whoever broke it: one that a turn ended with has its button there. */
export function FixButton() {
  const project = useProjectId();
  const broken = useView((view) => {
    if (statusOf(view) !== "failed" || doing(view) !== undefined) return false;
    const end = view.turns.at(-1)?.end;
    if (end?.verdict === "failed" && end.revision === view.revision) return false;
    return judge(evidenceOf(view)).verdict === "failed";
  });
  const [busy, setBusy] = useState(false);
  const fix = async () => {
    setBusy(true);
    try {
      await saveEdits();
      await sendMessage(project, askRepair());
    } catch (error) {
      noticeError(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  useCommand("fix", broken && !busy && fix);
  if (!broken) return null;
  return (
    <Button
      kind="primary"
      className="ml-1"
      disabled={busy}
      {...keysHint("fix", words.evidence.fix)}
      onClick={() => void fix()}
    >
      {words.evidence.fix}
    </Button>
  );
}
