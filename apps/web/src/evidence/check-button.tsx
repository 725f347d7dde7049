import { statusOf } from "@treadle/protocol/fold";
import { useState } from "react";
import { useCommand } from "../commands/available.ts";
import { keysHint } from "../commands/hint.ts";
import { noticeError } from "../ui/notice.ts";
import { checkAgain } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { doing } from "../fold/phase.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { saveEdits } from "../project/unsaved.ts";
import { words } from "../words/words.ts";

/** Offers to look at files that nobody has looked at yet, such as after an edit by hand. */
export function CheckButton() {
  const project = useProjectId();
  const offered = useView(
    (view) => statusOf(view) === "unverified" && doing(view) === undefined && view.filesSeq > 0,
  );
  const [busy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    try {
      await saveEdits();
      await checkAgain(project);
    } catch (error) {
      noticeError(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  useCommand("check", offered && !busy && check);
  if (!offered) return null;
  return (
    <Button
      className="ml-1"
      disabled={busy}
      {...keysHint("check", words.evidence.checkNow)}
      onClick={() => void check()}
    >
      {words.evidence.checkNow}
    </Button>
  );
}
