import { isRunning } from "@treadle/protocol/fold";
import { useState } from "react";
import { compactProject } from "../api/projects.ts";
import { useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { useProject } from "../project/use-project.ts";
import { words } from "../words/words.ts";

/** Summarises the conversation now, at the cost of one request. */
export function CompactButton() {
  const { id } = useProject();
  const working = useView(isRunning);
  const { act, busy, problem } = useAct();
  const [short, setShort] = useState(false);
  return (
    <>
      <Button
        size="medium"
        className="mt-2"
        disabled={busy || working}
        onClick={() => void act(async () => setShort(!(await compactProject(id)).compacted))}
      >
        {busy ? words.usage.summing : words.usage.compact}
      </Button>
      {working && <p className="mt-1 text-small text-quiet">{words.usage.notNow}</p>}
      {short && (
        <p role="status" className="mt-1 text-small text-quiet">
          {words.usage.short}
        </p>
      )}
      {problem && (
        <p role="alert" className="mt-1 text-small text-failed">
          {problem}
        </p>
      )}
    </>
  );
}
