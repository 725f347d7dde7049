import type { ComparedAttempt } from "@treadle/protocol";
import { FollowProject } from "../live/live-context.tsx";
import { LoopMark } from "../ui/loop-mark.tsx";
import { words } from "../words/words.ts";
import { LiveAttempt } from "./live-attempt.tsx";

/** One column: the current state of an attempt. */
export function Attempt({
  attempt,
  title,
  since,
  busy,
  onKeep,
}: {
  attempt: ComparedAttempt;
  title: string;
  /** When the comparison began, in milliseconds since 1970. */
  since: number;
  busy: boolean;
  onKeep: () => void;
}) {
  const { project, state, number, problem } = attempt;
  const heading = `attempt-${number}`;
  return (
    <li className="min-h-0 min-w-0 snap-start">
      <article
        aria-labelledby={heading}
        data-attempt={number}
        data-state={state}
        className="flex h-full min-h-0 flex-col overflow-hidden rounded border border-line bg-raised"
      >
        {project === undefined || state === "failed" || state === "making" ? (
          <>
            <h2 id={heading} className="truncate border-b border-line px-3 py-2 font-semibold">
              {title}
            </h2>
            <div className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center text-quiet">
              <LoopMark size={28} />
              <p className={state === "failed" ? "text-failed" : ""}>
                {state === "failed"
                  ? (problem ?? words.compare.states.failed)
                  : words.compare.states[state]}
              </p>
            </div>
          </>
        ) : (
          <FollowProject project={project}>
            <LiveAttempt
              heading={heading}
              title={title}
              since={since}
              busy={busy}
              onKeep={onKeep}
            />
          </FollowProject>
        )}
      </article>
    </li>
  );
}
