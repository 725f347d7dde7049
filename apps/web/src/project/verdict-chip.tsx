import { chipState, shortRevision } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { VerdictMark, VERDICT_COLOUR, VERDICT_WORDS } from "./verdict-mark.tsx";

/** The truth of the project, with the short name of the revision that it is about. */
export function VerdictChip() {
  const state = useView(chipState);
  const revision = useView((view) => (view.stale ? "" : shortRevision(view.revision)));
  return (
    <span
      role="status"
      data-verdict={state}
      className={`ml-1 inline-flex h-7 shrink-0 items-center gap-1.5 rounded border border-line px-2 text-small font-medium ${VERDICT_COLOUR[state]}`}
    >
      <VerdictMark state={state} />
      {VERDICT_WORDS[state]}
      {revision !== "" && (
        <span className="font-mono font-normal text-quiet max-wide:hidden">
          <span className="sr-only">revision </span>
          {revision}
        </span>
      )}
    </span>
  );
}
