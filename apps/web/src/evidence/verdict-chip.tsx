import { QUESTION } from "../ui/use-handed-focus.ts";
import { shortRevision } from "../fold/select.ts";
import { shownStatus } from "../fold/phase.ts";
import { useLiveState, useView } from "../live/live-context.tsx";
import { useWork } from "../project/work-store.ts";
import { VerdictMark, VERDICT_COLOUR } from "./verdict-mark.tsx";
import { words } from "../words/words.ts";

/** The truth of the project, with the short name of the revision that it is about; where it waits, the way there. */
export function VerdictChip() {
  const state = useView(shownStatus);
  const loaded = useLiveState((live) => live.loaded);
  const revision = useView((view) => shortRevision(view.revision));
  const showPane = useWork((work) => work.showPane);
  const waiting = state === "waiting";
  const chip = (
    <>
      <VerdictMark state={state} />
      {words.verdict[state]}
      {revision !== "" && !waiting && (
        <span className="font-mono font-normal text-quiet max-wide:hidden">
          <span className="sr-only">{words.evidence.revision} </span>
          {revision}
        </span>
      )}
    </>
  );
  // Nothing is known before the log is read: a word that is taken back a moment later would be no truth.
  if (!loaded) return null;
  const look = `inline-flex h-7 items-center gap-1.5 rounded border px-2 text-small font-medium ${VERDICT_COLOUR[state]}`;
  const toQuestion = () => {
    showPane("chat");
    // On a narrow page it is shown only once its pane is.
    requestAnimationFrame(() => {
      const card = document.getElementById(QUESTION);
      card?.scrollIntoView({ block: "nearest" });
      card?.querySelector<HTMLElement>("button, textarea")?.focus();
    });
  };
  return (
    <span role="status" data-verdict={state} className="ml-1 inline-flex shrink-0">
      {waiting ? (
        <button
          type="button"
          title={words.evidence.toQuestion}
          onClick={toQuestion}
          className={`${look} border-accent hover:bg-hover pointer-coarse:min-h-11`}
        >
          {chip}
        </button>
      ) : (
        <span className={`${look} border-line`}>{chip}</span>
      )}
    </span>
  );
}
