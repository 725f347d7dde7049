import type { Evidence, Finding } from "@treadle/protocol";
import { pictureOf } from "@treadle/protocol/fold";
import { visibleProse } from "@treadle/protocol/safe-text";
import { VERDICT_COLOUR, VerdictMark } from "../evidence/verdict-mark.tsx";
import type { RunEnd, Turn } from "../fold/types.ts";
import { LookedPicture } from "../pictures/looked-picture.tsx";
import { Placed } from "../evidence/placed.tsx";
import { AskedList } from "./asked-list.tsx";
import { EndActions } from "./end-actions.tsx";
import { shownOutput } from "../ui/format.ts";
import { filled, words } from "../words/words.ts";

/** A turn that came to good: one line with what held and how much was changed, and a small picture of it. */
export function VerdictLine({
  turn,
  end,
  last,
  seen,
  evidence,
  cost,
}: {
  turn: Turn;
  end: RunEnd;
  last: boolean;
  /** What was seen to hold. */
  seen: string | undefined;
  /** What is known of the revision that the turn left. */
  evidence: Evidence | undefined;
  cost: string;
}) {
  const state = end.verdict === "runs" ? "runs" : "verified";
  const picture = pictureOf(evidence);
  // Where the person is to look, the page is shown at length.
  const isToLook = evidence?.asked?.some(({ byEye, isAgreed }) => byEye && !isAgreed) === true;
  return (
    <section
      // One landmark for the newest result: as many as there are turns would lead nowhere.
      role={last ? undefined : "group"}
      aria-label={words.conversation.result}
      data-verdict={state}
      data-outcome={end.outcome}
      className="flex items-start gap-3 border-t border-line pt-2"
    >
      <div className="min-w-0 flex-1">
        <h3 className={`flex items-start gap-1.5 font-semibold ${VERDICT_COLOUR[state]}`}>
          <span className="flex h-[1.45em] items-center">
            <VerdictMark state={state} />
          </span>
          <span>
            {words.verdict[state]}
            {seen !== undefined && (
              <span className="font-normal text-ink"> — {visibleProse(seen)}</span>
            )}
          </span>
        </h3>
        {evidence && state === "runs" && <AskedList evidence={evidence} last={last} />}
        {evidence?.findings && evidence.findings.length > 0 && (
          <Findings findings={evidence.findings} />
        )}
        <EndActions turn={turn} end={end} last={last} />
        <p className="numbers mt-1 text-small text-quiet">{cost}</p>
      </div>
      {picture !== undefined && !isToLook && (
        <LookedPicture picture={{ hash: picture }} of={words.evidence.thePage} small />
      )}
    </section>
  );
}

/** What breaks nothing by itself and is worth knowing. The page or the place in the source says where. */
function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <details className="mt-1 text-small">
      <summary className="cursor-pointer rounded text-quiet -outline-offset-2">
        {words.evidence.findingsTitle} ({findings.length})
      </summary>
      <ul className="mt-0.5 space-y-0.5">
        {findings.map(({ code, subject, path, place, detail, picture }, index) => (
          <li key={index} dir="auto" className="break-words">
            {visibleProse(filled(words.evidence.findings[code], { subject }))}
            {(place ?? path) !== undefined && (
              <span className="text-quiet">
                {" "}
                <Placed>{visibleProse(place ?? path ?? "")}</Placed>
              </span>
            )}
            {detail !== undefined && (
              <pre className="mt-1 max-h-36 overflow-auto rounded border border-line bg-paper p-2 font-mono whitespace-pre-wrap">
                {shownOutput(detail)}
              </pre>
            )}
            {picture && <LookedPicture picture={picture} of={words.evidence.thePage} small />}
          </li>
        ))}
      </ul>
    </details>
  );
}
