import { EVIDENCE_PARTS } from "@treadle/protocol/evidence";
import { evidenceOf } from "@treadle/protocol/fold";
import { visibleProse } from "@treadle/protocol/safe-text";
import { codedWords } from "../words/coded-words.ts";
import { useView } from "../live/live-context.tsx";
import { words } from "../words/words.ts";
import { Bead } from "./bead.tsx";
import { checksState } from "./check-state.ts";
import { ChecksDetails } from "./checks-details.tsx";
import { PartDetails } from "./part-details.tsx";
import { Placed } from "./placed.tsx";

/** Everything observed about the current files; failures with their details. */
export function AllEvidence() {
  const evidence = useView(evidenceOf);
  const { checks } = evidence;
  return (
    <dl className="mt-1 max-h-[70vh] space-y-1.5 overflow-auto">
      {EVIDENCE_PARTS.map((part) => {
        const { state, summary, summaryCode } = evidence.parts[part];
        return (
          <div key={part}>
            <dt className="flex items-center gap-2">
              <Bead state={state} /> {words.evidence.parts[part]}
              <span className="text-quiet">{words.evidence.states[state]}</span>
            </dt>
            {state !== "inapplicable" && (
              <dd className="pl-5 text-small text-quiet">
                {state === "held" ? (
                  <Placed>{visibleProse(codedWords(summary, summaryCode))}</Placed>
                ) : (
                  <PartDetails part={part} evidence={evidence} brief />
                )}
              </dd>
            )}
          </div>
        );
      })}
      {checks && (
        <div>
          <dt className="flex items-center gap-2">
            <Bead state={checksState(checks)} /> {words.evidence.checks}
          </dt>
          <dd className="pl-5 text-small">
            <ChecksDetails checks={checks} />
          </dd>
        </div>
      )}
    </dl>
  );
}
