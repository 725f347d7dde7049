import { Popover } from "@base-ui/react/popover";
import type { EvidencePart } from "@treadle/protocol";
import { EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import { evidenceOf } from "@treadle/protocol/fold";
import { memo, type ReactNode } from "react";
import { useLiveState, useView } from "../live/live-context.tsx";
import { Button } from "../ui/button.tsx";
import { AgreeChecks } from "./agree-checks.tsx";
import { Bead } from "./bead.tsx";
import { checksState, type CheckState } from "./check-state.ts";
import { ChecksDetails } from "./checks-details.tsx";
import { PartDetails } from "./part-details.tsx";
import { useChecksFile } from "./use-checks-file.ts";
import { words } from "../words/words.ts";

/** Five beads for the current revision, and one for the project's own checks; each opens its evidence. */
export function EvidenceStrip() {
  const withChecks = useView((view) => evidenceOf(view).checks !== undefined);
  // Hollow beads would claim that nothing was tried, which is unknown before the log has loaded; the space is reserved.
  const loaded = useLiveState((live) => live.loaded);
  return (
    <div
      role="group"
      aria-label={words.evidence.evidence}
      className={`flex shrink-0 items-center ${loaded ? "" : "invisible"}`}
    >
      {EVIDENCE_PARTS.map((part) => (
        <PartBead key={part} part={part} />
      ))}
      {withChecks && <ChecksBead />}
    </div>
  );
}

/** The bead of one part. Rendered only when its own state changes, because evidence arrives in many pieces. */
const PartBead = memo(function PartBead({ part }: { part: EvidencePart }) {
  const state = useView((view) => evidenceOf(view).parts[part].state);
  return (
    <StripBead part={part} title={words.evidence.parts[part]} state={state}>
      <PartNow part={part} />
    </StripBead>
  );
});

function PartNow({ part }: { part: EvidencePart }) {
  return <PartDetails part={part} evidence={useView(evidenceOf)} />;
}

const ChecksBead = memo(function ChecksBead() {
  const state = useView((view) => checksState(evidenceOf(view).checks ?? []));
  const openChecks = useChecksFile();
  return (
    <StripBead part="checks" title={words.evidence.checks} state={state}>
      <ChecksNow />
      <AgreeChecks className="mt-2 mr-2" />
      <Popover.Close render={<Button className="mt-2" onClick={() => void openChecks()} />}>
        {words.evidence.editChecks}
      </Popover.Close>
    </StripBead>
  );
});

function ChecksNow() {
  const checks = useView((view) => evidenceOf(view).checks);
  return checks && <ChecksDetails checks={checks} />;
}

function StripBead({
  part,
  title,
  state,
  children,
}: {
  part: string;
  title: string;
  state: CheckState;
  children: ReactNode;
}) {
  const name = words.evidence.partIs({ part: title, state: words.evidence.states[state] });
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={name}
        title={name}
        data-part={part}
        data-state={state}
        className="inline-flex h-8 min-w-6 items-center justify-center gap-1 rounded text-small hover:bg-hover broad:px-1.5 pointer-coarse:h-11"
      >
        <Bead state={state} />
        {/* Six unlabelled marks mean nothing to a newcomer; a broken one shows its name if there is room. */}
        <span
          aria-hidden="true"
          className={
            state === "failed"
              ? "font-medium text-failed max-wide:hidden"
              : "text-quiet max-broad:hidden"
          }
        >
          {title}
        </span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} collisionPadding={8} className="z-40">
          <Popover.Popup className="floating w-100 p-3">
            <Popover.Title className="flex items-center gap-2 font-semibold">
              <Bead state={state} /> {title}
              <span className="font-normal text-quiet">{words.evidence.states[state]}</span>
            </Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
