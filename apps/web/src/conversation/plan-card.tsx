import { isRunning } from "@treadle/protocol/fold";
import { sendMessage } from "../api/projects.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { useAct } from "../ui/use-act.ts";
import { useStoredPlan } from "./use-stored-plan.ts";
import { words } from "../words/words.ts";

/** Actions for a plan. The plan is shown above; here it can be edited, and started as a building turn. */
export function PlanCard({ plan, message }: { plan: string; message: string }) {
  const project = useProjectId();
  const working = useView(isRunning);
  const { act, busy, problem } = useAct();
  const [text, setText] = useStoredPlan(project, message);
  const start = () =>
    void act(async () => {
      await sendMessage(project, {
        text: words.conversation.carryOut,
        plan: (text ?? plan).trim(),
      });
      setText(undefined);
    });
  return (
    <section
      aria-label={words.conversation.plan}
      className="rounded border border-line bg-raised px-3 py-2"
    >
      <h3 className="font-semibold">{words.conversation.planNote}</h3>
      {text !== undefined && (
        <textarea
          dir="auto"
          aria-label={words.conversation.thePlan}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="mt-2 block max-h-[50vh] min-h-30 w-full resize-y overflow-y-auto rounded border border-edge bg-paper p-2 field-sizing-content"
        />
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button kind="primary" disabled={busy || working || text?.trim() === ""} onClick={start}>
          {words.conversation.buildThis}
        </Button>
        {text === undefined ? (
          <Button disabled={busy} onClick={() => setText(plan)}>
            {words.conversation.edit}
          </Button>
        ) : (
          <Button kind="quiet" disabled={busy} onClick={() => setText(undefined)}>
            {words.conversation.undoEdits}
          </Button>
        )}
      </div>
      {problem && (
        <p role="alert" className="mt-2 text-small text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}
