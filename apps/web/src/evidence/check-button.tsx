import { statusOf } from "@treadle/protocol/fold";
import { useState } from "react";
import { toast } from "sonner";
import { checkAgain } from "../api/projects.ts";
import { sentence } from "../api/request.ts";
import { doing } from "../fold/phase.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { saveEdits } from "../project/unsaved.ts";

/** Offers to look at files that nobody has looked at yet, such as after an edit by hand. */
export function CheckButton() {
  const project = useProjectId();
  const offered = useView(
    (view) => statusOf(view) === "unverified" && doing(view) === undefined && view.filesSeq > 0,
  );
  const [busy, setBusy] = useState(false);
  // The click is answered when the look has begun, and not a moment before.
  if (!offered && busy) setBusy(false);
  if (!offered) return null;
  const check = async () => {
    setBusy(true);
    try {
      await saveEdits();
      await checkAgain(project);
    } catch (error) {
      toast.error(sentence(error));
      setBusy(false);
    }
  };
  return (
    <Button className="ml-1" disabled={busy} onClick={() => void check()}>
      {busy ? "Checking…" : "Check now"}
    </Button>
  );
}
