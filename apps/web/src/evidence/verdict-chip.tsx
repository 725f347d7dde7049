import { Unplug } from "lucide-react";
import { statusOf } from "@treadle/protocol/fold";
import { QUESTION } from "../ui/use-handed-focus.ts";
import { shortRevision } from "../fold/select.ts";
import { useLiveState, useView } from "../live/live-context.tsx";
import { useWork } from "../project/work-store.ts";
import { VerdictMark, VERDICT_COLOUR, VERDICT_WORDS } from "./verdict-mark.tsx";

/** The truth of the project, with the short name of the revision that it is about; where it waits, the way there. */
export function VerdictChip() {
  const state = useView(statusOf);
  const revision = useView((view) => shortRevision(view.revision));
  const showPane = useWork((work) => work.showPane);
  const lost = useLiveState(({ connection }) => connection === "lost");
  const loaded = useLiveState((live) => live.loaded);
  const waiting = state === "waiting" && !lost;
  // What was known last may be long over.
  const word = (
    <>
      {lost ? <Unplug size={14} aria-hidden="true" /> : <VerdictMark state={state} />}
      {lost ? "Offline" : VERDICT_WORDS[state]}
    </>
  );
  const colour = lost ? "text-unsure" : VERDICT_COLOUR[state];
  const look = `inline-flex h-7 items-center gap-1.5 rounded border px-2 text-small font-medium ${colour}`;
  const toQuestion = () => {
    showPane("chat");
    // On a narrow page it is shown only once its pane is.
    requestAnimationFrame(() => {
      const card = document.getElementById(QUESTION);
      card?.scrollIntoView({ block: "nearest" });
      card?.querySelector<HTMLElement>("button, textarea")?.focus();
    });
  };
  if (!loaded && !lost) return null;
  // Said once for each state: what stands beside it (the revision) changes more often.
  return (
    <span className={waiting ? "ml-1 inline-flex shrink-0" : `ml-1 shrink-0 border-line ${look}`}>
      <span
        role="status"
        data-verdict={lost ? "offline" : state}
        className="inline-flex items-center gap-1.5"
      >
        {waiting ? (
          <button
            type="button"
            title="Show what it asks"
            onClick={toQuestion}
            className={`${look} border-accent hover:bg-hover pointer-coarse:min-h-11`}
          >
            {word}
          </button>
        ) : (
          word
        )}
      </span>
      {revision !== "" && !waiting && !lost && (
        <span className="font-mono font-normal text-quiet max-wide:hidden">
          <span className="sr-only">revision </span>
          {revision}
        </span>
      )}
    </span>
  );
}
