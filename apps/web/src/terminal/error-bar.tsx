import { visible } from "@treadle/protocol/safe-text";
import { CircleX, X } from "../ui/icons.ts";
import { sendMessage } from "../api/projects.ts";
import { Placed } from "../evidence/placed.tsx";
import { currentActivity } from "../fold/phase.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { askTerminalRepair } from "../project/ask-repair.ts";
import { saveEdits } from "../project/unsaved.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/** An error printed by a program, with the next actions. */
export function ErrorBar({
  terminal,
  error,
  onHide,
}: {
  terminal: string;
  error: string;
  onHide: () => void;
}) {
  const project = useProjectId();
  const activity = useView((view) => currentActivity(view)?.words);
  const { act, busy, problem } = useAct();
  const fix = async () => {
    const sent = await act(async () => {
      await saveEdits();
      await sendMessage(project, askTerminalRepair(terminal));
    });
    if (sent) onHide();
  };
  return (
    <div
      role="status"
      className="flex shrink-0 items-center gap-2 border-t border-line bg-raised py-1 pr-1.5 pl-2 text-small"
    >
      <CircleX size={14} aria-hidden="true" className="shrink-0 text-failed" />
      <span className="min-w-0 flex-1 truncate font-mono" title={visible(error)}>
        <Placed>{visible(error)}</Placed>
      </span>
      {problem && <span className="text-failed">{problem}</span>}
      {activity === undefined ? (
        <Button kind="primary" disabled={busy} onClick={() => void fix()}>
          {words.terminal.fix}
        </Button>
      ) : (
        <span className="shrink-0 text-quiet">{visible(activity)}…</span>
      )}
      <IconButton name={words.terminal.hideError} onClick={onHide}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
