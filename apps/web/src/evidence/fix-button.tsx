import { judge } from "@treadle/protocol/evidence";
import { evidenceOf, statusOf } from "@treadle/protocol/fold";
import { useState } from "react";
import { noticeError } from "../ui/notice.ts";
import { sendMessage } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { doing } from "../fold/phase.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { ASK_REPAIR } from "../project/ask-repair.ts";
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
  if (!broken) return null;
  const fix = async () => {
    setBusy(true);
    try {
      await saveEdits();
      await sendMessage(project, ASK_REPAIR);
    } catch (error) {
      noticeError(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button kind="primary" className="ml-1" disabled={busy} onClick={() => void fix()}>
      {words.evidence.fix}
    </Button>
  );
}
