import type { ProjectSettings } from "@treadle/protocol";
import { VERDICT_MODES } from "@treadle/protocol/evidence";
import { setVerdicts } from "../api/project-settings.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** How much the project's turns have to prove. */
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
      <fieldset className="mt-2 space-y-1" disabled={busy}>
        <legend className="sr-only">{words.projectSettings.verdicts}</legend>
        {VERDICT_MODES.map((mode) => (
          <label key={mode} className="flex items-baseline gap-2 pointer-coarse:min-h-11">
            <input
              type="radio"
              name="verdict-mode"
              checked={settings.verdicts === mode}
              onChange={() => void act(async () => onChanged(await setVerdicts(project, mode)))}
              className="accent-accent"
            />
            <span>
              {words.projectSettings.verdictModes[mode].title}{" "}
              <span className="text-small text-quiet">
                {words.projectSettings.verdictModes[mode].about}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {problem && (
        <p role="alert" className="mt-2 text-small text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}
