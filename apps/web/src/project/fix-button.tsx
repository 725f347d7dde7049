import { judge } from "@treadle/protocol/evidence";
import { useState } from "react";
import { toast } from "sonner";
import { sendMessage } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { doing } from "../fold/phase.ts";
import { chipState, shownEvidence } from "../fold/select.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { saveEdits } from "../work/unsaved.ts";
import { fixText } from "./fix-text.ts";

/** Starts the repair of what is broken now, whoever broke it: one that a turn ended with has its button there. */
export function FixButton() {
  const project = useProjectId();
  const reason = useView((view) => {
    if (chipState(view) !== "failed" || doing(view) !== undefined) return undefined;
    const end = view.turns.at(-1)?.end;
    if (end?.verdict === "failed" && end.revision === view.revision) return undefined;
    const judged = judge(shownEvidence(view));
    return judged.verdict === "failed" ? judged.reason : undefined;
  });
  const [busy, setBusy] = useState(false);
  if (reason === undefined) return null;
  const fix = async () => {
    setBusy(true);
    try {
      await saveEdits();
      await sendMessage(project, { text: fixText(reason) });
    } catch (error) {
      toast.error(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button kind="primary" className="ml-1" disabled={busy} onClick={() => void fix()}>
      Fix problems
    </Button>
  );
}
