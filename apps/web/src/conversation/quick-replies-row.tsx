import { evidenceOf, isRunning } from "@treadle/protocol/fold";
import { visible } from "@treadle/protocol/safe-text";
import { sendMessage } from "../api/projects.ts";
import { conversationFilter } from "../fold/folded-turns.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { quickReplies } from "./quick-replies.ts";
import { words } from "../words/words.ts";

/** Buttons that each send a reply to the last turn. Draws nothing during a run, or if there is no reply to offer. */
export function QuickRepliesRow() {
  const project = useProjectId();
  const last = useView((view) =>
    !isRunning(view) ? view.turns.findLast(conversationFilter(view)) : undefined,
  );
  // The evidence of the current files, which differ from the turn's after the person restored a checkpoint.
  const evidence = useView(evidenceOf);
  const todo = useView((view) => view.todo);
  const { act, busy, problem } = useAct();
  if (!last) return null;
  const replies = quickReplies(last, evidence, todo);
  if (replies.length === 0) return null;
  return (
    <div className="pt-2">
      <ul aria-label={words.chat.quickReplies} className="flex flex-wrap gap-2">
        {replies.map(({ text, prove }) => (
          <li key={text} className="max-w-full">
            <Button
              // Shows the complete reply, over several lines if necessary.
              className="h-auto! min-h-7 max-w-full py-1 text-left whitespace-normal!"
              disabled={busy}
              onClick={() => void act(() => sendMessage(project, { text, prove }))}
            >
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {visible(text)}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {problem && (
        <p role="alert" className="mt-1 text-small text-failed">
          {problem}
        </p>
      )}
    </div>
  );
}
