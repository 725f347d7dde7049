import { Popover } from "@base-ui/react/popover";
import { evidenceOf } from "@treadle/protocol/fold";
import { useLiveState, useView } from "../live/live-context.tsx";
import { words } from "../words/words.ts";
import { AllEvidence } from "./all-evidence.tsx";
import { Bead } from "./bead.tsx";
import { worstState } from "./worst-state.ts";

/**
 * The evidence strip of a narrow page: one bead with the worst state, which opens all evidence. Hidden if nothing was
 * looked at.
 */
export function EvidenceDot() {
  const worst = useView((view) => worstState(evidenceOf(view)));
  // Nothing is known before the log has loaded; the space is reserved.
  const loaded = useLiveState((live) => live.loaded);
  const state = worst ?? "untried";
  const name = words.evidence.partIs({
    part: words.evidence.evidence,
    state: words.evidence.states[state],
  });
  // The chip beside it already says that nothing was looked at; the space goes to the project's name.
  if (loaded && !worst) return null;
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={name}
        title={name}
        data-part="all"
        data-state={state}
        className={`inline-flex size-8 shrink-0 items-center justify-center rounded hover:bg-hover pointer-coarse:size-11 ${loaded ? "" : "invisible"}`}
      >
        <Bead state={state} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} collisionPadding={8} className="z-40">
          <Popover.Popup className="floating w-110 max-w-[calc(100vw-1rem)] p-3">
            <Popover.Title className="font-semibold">{words.evidence.whatWasSeen}</Popover.Title>
            <AllEvidence />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
