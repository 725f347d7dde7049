import type { Evidence, Finding } from "@treadle/protocol";
import { unprovenItems } from "@treadle/protocol/evidence";
import { pictureOf } from "@treadle/protocol/fold";
import { visibleProse } from "@treadle/protocol/safe-text";
import { VERDICT_COLOUR, VerdictMark } from "../evidence/verdict-mark.tsx";
import type { RunEnd, Turn } from "../fold/types.ts";
import { LookedPicture } from "../pictures/looked-picture.tsx";
import { Placed } from "../evidence/placed.tsx";
import { AskedList } from "./asked-list.tsx";
import { EndActions } from "./end-actions.tsx";
import { formatAmounts, formatClock, formatDuration, shownOutput } from "../ui/format.ts";
import { filled, words } from "../words/words.ts";

/** A successful turn: one line with its duration and cost, a thumbnail, and the actions. */
export function VerdictLine({
  turn,
  end,
  last,
  seen,
  evidence,
}: {
  turn: Turn;
  end: RunEnd;
  last: boolean;
  /** Facts from the evidence, such as checks that passed. */
  seen: readonly string[];
  /** Evidence for the turn's final revision. */
  evidence: Evidence | undefined;
}) {
  const state = end.verdict === "runs" ? "runs" : "verified";
  const picture = pictureOf(evidence);
  // Shows the page large if the person has to look at it.
  const isToLook = evidence?.asked?.some(({ byEye, isAgreed }) => byEye && !isAgreed) === true;
  const { inputTokens, outputTokens, costUsd } = end.usage;
  const facts = [
    ...(state === "runs" ? triedWords(evidence) : []),
    ...seen,
    ...formatAmounts(inputTokens + outputTokens, costUsd),
  ];
  return (
    <section
      // Only the newest result is a landmark; one per turn would make landmarks useless.
      role={last ? undefined : "group"}
      aria-label={words.conversation.result}
      data-verdict={state}
      data-outcome={end.outcome}
      className="border-t border-line pt-2"
    >
      <div className="flex items-center gap-3">
        {picture !== undefined && !isToLook && (
          <LookedPicture picture={{ hash: picture }} subject={words.evidence.thePage} small />
        )}
        <div className="min-w-0 flex-1">
          <h3 className={`flex items-start gap-1.5 font-semibold ${VERDICT_COLOUR[state]}`}>
            <span className="flex h-[1.45em] items-center">
              <VerdictMark state={state} />
            </span>
            <span>
              {words.verdict[state]}{" "}
              <span className="numbers font-normal text-ink">
                {[
                  words.conversation.inTime({ time: formatClock(end.ms) }),
                  ...facts.map(visibleProse),
                ].join(" · ")}
              </span>
            </span>
          </h3>
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <EndActions turn={turn} end={end} last={last} />
            {evidence?.ms !== undefined && (
              <span className="numbers text-small text-quiet">
                {words.evidence.checkedIn({ time: formatDuration(evidence.ms) })}
              </span>
            )}
          </div>
        </div>
      </div>
      {evidence && state === "runs" && <AskedList evidence={evidence} last={last} />}
      {evidence?.findings && evidence.findings.length > 0 && (
        <Findings findings={evidence.findings} />
      )}
    </section>
  );
}

/** How many of the requested items were tried; empty without a list of items. */
function triedWords(evidence: Evidence | undefined): string[] {
  const all = evidence?.asked?.length ?? 0;
  if (!evidence || all === 0) return [];
  const open = unprovenItems(evidence).filter(({ what }) => what !== undefined).length;
  return [words.evidence.triedOf({ tried: all - open, all })];
}

/** Harmless findings that are worth knowing, each with its place in the source or the path of its page. */
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
            {picture && <LookedPicture picture={picture} subject={words.evidence.thePage} small />}
          </li>
        ))}
      </ul>
    </details>
  );
}
