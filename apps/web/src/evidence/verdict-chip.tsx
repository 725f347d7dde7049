import { Popover } from "@base-ui/react/popover";
import { statusOf, type ProjectStatus } from "@treadle/protocol/fold";
import { useState } from "react";
import { QUESTION } from "../ui/use-handed-focus.ts";
import { shortRevision } from "../fold/select.ts";
import { useLiveState, useView } from "../live/live-context.tsx";
import { useWork } from "../project/work-store.ts";
import { AllEvidence } from "./all-evidence.tsx";
import { VerdictMark, VERDICT_COLOUR } from "./verdict-mark.tsx";
import { words } from "../words/words.ts";

/** Background colours of the chip for files that were looked at; other states have none. */
const TINTS: Partial<Record<ProjectStatus, string>> = {
  verified: "bg-verified-tint border-transparent",
  runs: "bg-unsure-tint border-transparent",
  failed: "bg-failed-tint border-transparent",
};

/**
 * The project's verdict, with the short name of its revision. Opens the evidence; if the project waits for an answer,
 * goes to the question. Hidden until the log has loaded.
 */
export function VerdictChip() {
  const state = useView(statusOf);
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
  const [last, setLast] = useState({ state, isMoment: false });
  // Animates a new verdict, but not one that was reached before the page was opened.
  if (last.state !== state)
    setLast({ state, isMoment: state === "verified" && last.state === "working" });
  // Nothing is known before the log has loaded, and a verdict that changes a moment later would be wrong.
  if (!loaded) return null;
  const look = `inline-flex h-7 items-center gap-1.5 rounded border px-2 text-small font-medium pointer-coarse:min-h-11 ${TINTS[state] ?? "border-line"} ${VERDICT_COLOUR[state]} ${last.isMoment ? "just-verified" : ""}`;
  const toQuestion = () => {
    showPane("chat");
    // On a narrow page it becomes visible only with its pane.
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
          className={`${look} border-accent hover:bg-hover`}
        >
          {chip}
        </button>
      ) : (
        <Popover.Root>
          <Popover.Trigger
            title={words.evidence.whatWasSeen}
            className={`${look} hover:border-edge`}
          >
            {chip}
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Positioner sideOffset={4} collisionPadding={8} className="z-40">
              <Popover.Popup className="floating w-110 max-w-[calc(100vw-1rem)] p-3">
                <Popover.Title className="font-semibold">
                  {words.evidence.whatWasSeen}
                </Popover.Title>
                <AllEvidence />
              </Popover.Popup>
            </Popover.Positioner>
          </Popover.Portal>
        </Popover.Root>
      )}
    </span>
  );
}
