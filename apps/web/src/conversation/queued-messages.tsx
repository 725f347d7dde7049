import { useShallow } from "zustand/react/shallow";
import { X } from "../ui/icons.ts";
import { sendNow, takeBackMessage } from "../api/projects.ts";
import { queuedTurns } from "../fold/select.ts";
import type { Turn } from "../fold/types.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button, FocusableButton } from "../ui/button.tsx";
import { AuthorName } from "./author-name.tsx";
import { useAct } from "../ui/use-act.ts";
import { words } from "../words/words.ts";

/**
 * Messages sent during a run, if there are any. Each waits for the run to end, unless the person sends it to the active
 * run or withdraws it.
 */
export function QueuedMessages({ onWithdrawn }: { onWithdrawn: (text: string) => void }) {
  const queued = useView(useShallow(queuedTurns));
  const waits = useView((view) => view.question !== undefined);
  if (queued.length === 0) return null;
  return (
    <section aria-label={words.conversation.queued} className="mb-2 text-small">
      <h3 className="text-quiet">
        {queued.length === 1 ? words.conversation.nextOne : words.conversation.nextMany}
      </h3>
      <ol className="mt-1 max-h-40 space-y-1 overflow-y-auto">
        {queued.map((turn) => (
          <Queued key={turn.message} turn={turn} waits={waits} onWithdrawn={onWithdrawn} />
        ))}
      </ol>
    </section>
  );
}

function Queued({
  turn: { message, text, by, hurried },
  waits,
  onWithdrawn,
}: {
  turn: Turn;
  waits: boolean;
  onWithdrawn: (text: string) => void;
}) {
  const project = useProjectId();
  const { act, busy, problem } = useAct();
  return (
    <li className="rounded border border-dashed border-line px-2 py-1">
      <div className="flex items-center gap-2">
        {by && (
          <span className="max-w-24 shrink-0 truncate text-quiet">
            <AuthorName by={by} />
          </span>
        )}
        <span dir="auto" className="min-w-0 flex-1 truncate" title={text}>
          {text}
        </span>
        {hurried ? (
          <span role="status" className="shrink-0 text-quiet">
            {waits ? words.conversation.toldAnswered : words.conversation.toldNext}
          </span>
        ) : (
          <Button
            kind="quiet"
            disabled={busy}
            title={words.conversation.sendNowAbout}
            onClick={() => void act(() => sendNow(project, message))}
          >
            {words.conversation.sendNow}
          </Button>
        )}
        <FocusableButton
          disabled={busy}
          aria-label={words.conversation.takeBackOf({ text: text.slice(0, 80) })}
          title={words.conversation.takeBack}
          onClick={() =>
            void act(async () => {
              await takeBackMessage(project, message);
              onWithdrawn(text);
            })
          }
          className="inline-flex size-7 shrink-0 items-center justify-center rounded text-quiet hover:bg-hover hover:text-ink pointer-coarse:size-11"
        >
          <X size={14} aria-hidden="true" />
        </FocusableButton>
      </div>
      {problem && (
        <p role="alert" className="text-failed">
          {problem}
        </p>
      )}
    </li>
  );
}
