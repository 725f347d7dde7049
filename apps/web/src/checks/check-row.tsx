import type { CheckReport } from "@treadle/protocol";
import { useState } from "react";
import { checkAgain } from "../api/projects.ts";
import { ChecksDetails } from "../evidence/checks-details.tsx";
import { useProjectId } from "../live/live-context.tsx";
import { IconButton } from "../ui/button.tsx";
import { CirclePlay, Pencil, Trash2 } from "../ui/icons.ts";
import { notice } from "../ui/notice.ts";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";
import { CheckForm } from "./check-form.tsx";
import { withoutSection, withSection, type CheckSection } from "./check-sections.ts";
import { appendCheck, type Refusal } from "./append-check.ts";
import { changeSection } from "./use-checks-text.ts";

/** How long a removed check can be restored from the notice, in milliseconds. */
const UNDO_MS = 10_000;

/** One check: its state, its last result and its actions. */
export function CheckRow({
  section,
  report,
  canRun = false,
}: {
  /** Undefined if the file does not contain it as a separate check. */
  section?: CheckSection;
  /** Undefined if it was not run on the current files. */
  report?: CheckReport | undefined;
  /** Whether it can be run now. */
  canRun?: boolean;
}) {
  const project = useProjectId();
  const { act, busy, problem } = useAct();
  const [isEditing, setEditing] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const { name } = section ?? report ?? { name: "" };
  const remove = ({ body }: CheckSection) =>
    act(async () => {
      const refused = await changeSection(project, name, withoutSection);
      setRefusal(refused);
      if (refused) return;
      notice(words.checks.removed({ name }), {
        duration: UNDO_MS,
        action: {
          label: words.checks.undo,
          onClick: () => void act(() => appendCheck(project, name, body)),
        },
      });
    });
  if (isEditing && section)
    return (
      <li>
        <CheckForm
          name={name}
          body={section.body}
          onSave={(nextName, body) =>
            changeSection(project, name, (text, found) =>
              withSection(text, found, { name: nextName, body }),
            )
          }
          onClose={() => setEditing(false)}
        />
      </li>
    );
  return (
    <li className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        <ChecksDetails checks={[report ?? { name, state: "untried", steps: [] }]} />
        {!report && <p className="pl-5 text-small text-quiet">{words.checks.notRun}</p>}
        {(problem ?? refusal) !== undefined && (
          <p role="alert" className="pl-5 text-small text-failed">
            {problem ?? (refusal && words.checks.refused[refusal])}
          </p>
        )}
      </div>
      {section && (
        <>
          <IconButton
            name={words.checks.run({ name })}
            disabled={busy || !canRun}
            onClick={() => void act(() => checkAgain(project, name))}
          >
            <CirclePlay size={14} aria-hidden="true" />
          </IconButton>
          <IconButton
            name={words.checks.edit({ name })}
            disabled={busy}
            onClick={() => setEditing(true)}
          >
            <Pencil size={14} aria-hidden="true" />
          </IconButton>
          <IconButton
            name={words.checks.remove({ name })}
            disabled={busy}
            onClick={() => void remove(section)}
          >
            <Trash2 size={14} aria-hidden="true" />
          </IconButton>
        </>
      )}
    </li>
  );
}
