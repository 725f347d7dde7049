import { setKeepsData } from "../api/project-settings.ts";
import { useProjectSettings } from "../settings/use-project-settings.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** The setting whether the databases' contents are stored with the checkpoint before each turn, once it is loaded. */
export function KeepData({ project }: { project: string }) {
  const { settings, show } = useProjectSettings(project);
  const { act, busy, problem } = useAct();
  if (!settings) return null;
  return (
    <div className="mt-6 border-t border-edge pt-3">
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1"
          checked={settings.keepsData}
          disabled={busy}
          onChange={({ target }) =>
            void act(async () => show(await setKeepsData(project, target.checked)))
          }
        />
        <span>
          {words.databases.keep}
          <span className="block text-small text-quiet">{words.databases.keepAbout}</span>
        </span>
      </label>
      {problem && (
        <p role="alert" className="mt-2 text-small text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}
