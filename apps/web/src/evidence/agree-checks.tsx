import { judge } from "@treadle/protocol/evidence";
import { evidenceOf, isRunning } from "@treadle/protocol/fold";
import { agreeChecks } from "../api/projects.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** Asks the person to approve changed or deleted checks. Draws nothing unless these are the only problem. */
export function AgreeChecks({ className }: { className?: string }) {
  const project = useProjectId();
  const { act, busy, problem } = useAct();
  const working = useView(isRunning);
  const revision = useView((view) => {
    const evidence = evidenceOf(view);
    return judge(evidence).check?.was ? evidence.revision : undefined;
  });
  if (revision === undefined) return null;
  return (
    <>
      <Button
        className={className}
        disabled={busy || working}
        title={words.evidence.useAsNowAbout}
        onClick={() => void act(() => agreeChecks(project, revision))}
      >
        {words.evidence.useAsNow}
      </Button>
      {problem && (
        <p role="alert" className="basis-full text-small text-failed">
          {problem}
        </p>
      )}
    </>
  );
}
