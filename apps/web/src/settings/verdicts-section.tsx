import type { ProjectSettings } from "@treadle/protocol";
import { VERDICT_MODES } from "@treadle/protocol/evidence";
import { setVerdicts } from "../api/project-settings.ts";
import { useAct } from "../ui/use-act.ts";
import { ModeList } from "./mode-list.tsx";
import { words } from "../words/words.ts";

/** How much proof the project's turns require. */
export function VerdictsSection({
  project,
  settings,
  onChanged,
}: {
  project: string;
  settings: ProjectSettings;
  onChanged: (settings: ProjectSettings) => void;
}) {
  const { act, busy, problem } = useAct();
  return (
    <section aria-labelledby="verdicts-title" className="mt-6">
      <h3 id="verdicts-title" className="font-semibold">
        {words.projectSettings.verdicts}
      </h3>
      <p className="mt-1 text-small text-quiet">{words.projectSettings.verdictsAbout}</p>
      <ModeList
        legend={words.projectSettings.verdicts}
        modes={VERDICT_MODES}
        words={words.projectSettings.verdictModes}
        chosen={settings.verdicts}
        disabled={busy}
        onChoose={(mode) => void act(async () => onChanged(await setVerdicts(project, mode)))}
      />
      {problem && (
        <p role="alert" className="mt-2 text-small text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}
