import type { Evidence } from "@treadle/protocol";
import { EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import { PartDetails } from "../evidence/part-details.tsx";
import { Bead } from "../evidence/bead.tsx";
import { checksState } from "../evidence/check-state.ts";
import { ChecksDetails } from "../evidence/checks-details.tsx";
import { lookTitle } from "./look-title.ts";
import { Step } from "./step.tsx";
import { words } from "../words/words.ts";

/** The evidence of one revision, part by part. Starts open if it is the latest line and shows a failure. */
export function LookLine({
  evidence,
  last,
  isOver,
  isInCard,
}: {
  evidence: Evidence;
  last: boolean;
  /** Whether the turn has ended, so that nothing of it is still running. */
  isOver: boolean;
  /** Whether the turn's card below shows the same result. */
  isInCard: boolean;
}) {
  const { checks } = evidence;
  const { title, failed, isGoing: isActive } = lookTitle(evidence);
  const cut = isActive && isOver;
  return (
    <Step
      title={
        isInCard && !failed && !isActive
          ? words.conversation.lookedAtIt
          : cut
            ? title.replace(/…$/, "")
            : title
      }
      number={cut ? words.conversation.interrupted : undefined}
      quiet={isInCard && !failed}
      tone={failed ? "failed" : cut ? "unsure" : isActive ? "going" : undefined}
      startOpen={failed && last && !isInCard}
    >
      {() => {
        const shown = EVIDENCE_PARTS.filter((part) =>
          failed
            ? evidence.parts[part].state === "failed"
            : evidence.parts[part].state !== "untried" &&
              !(isOver && evidence.parts[part].state === "going"),
        );
        return (
          <ul className="space-y-2 text-small">
            {shown.map((part) => (
              <li key={part}>
                <p className="flex items-center gap-1.5 font-medium">
                  <Bead state={evidence.parts[part].state} /> {words.evidence.parts[part]}
                </p>
                <div className="pl-5">
                  <PartDetails part={part} evidence={evidence} brief />
                </div>
              </li>
            ))}
            {checks &&
              checks.length > 0 &&
              (!failed || checks.some(({ state }) => state === "failed")) && (
                <li>
                  <p className="flex items-center gap-1.5 font-medium">
                    <Bead state={checksState(checks)} /> {words.evidence.checks}
                  </p>
                  <div className="pl-5">
                    <ChecksDetails checks={checks} />
                  </div>
                </li>
              )}
          </ul>
        );
      }}
    </Step>
  );
}
