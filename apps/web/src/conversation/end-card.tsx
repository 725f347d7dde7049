import type { ProjectStatus } from "@treadle/protocol/fold";
import { isSound, judge, untriedEvidence } from "@treadle/protocol/evidence";
import { laterEvidence, currentEvidence, whyRevoked } from "../fold/select.ts";
import type { RunEnd, Turn } from "../fold/types.ts";
import { useView } from "../live/live-context.tsx";
import { failureOf } from "../evidence/failure.ts";
import { useLineName } from "./found-line.tsx";
import { Placed } from "../evidence/placed.tsx";
import { VerdictMark, VERDICT_COLOUR } from "../evidence/verdict-mark.tsx";
import { formatCosts } from "../ui/format.ts";
import { visibleProse } from "@treadle/protocol/safe-text";
import { EndActions } from "./end-actions.tsx";
import { withLaterVerdict, describeEnd, lastLookEvidence } from "./end-words.ts";
import { BestLine, FailureHead } from "./failure-head.tsx";
import { words } from "../words/words.ts";
import { VerdictLine } from "./verdict-line.tsx";

/** Evidence for a revision that nobody has looked at. */
const NOTHING = untriedEvidence("");

/** The result of a turn: the verdict with its evidence, the cost, and the next actions. */
export function EndCard({ turn, end: ended, last }: { turn: Turn; end: RunEnd; last: boolean }) {
  const line = useLineName();
  const since = useView((view) => laterEvidence(view, ended));
  const end = since ? withLaterVerdict(ended, since) : ended;
  const { inputTokens, outputTokens, costUsd } = end.usage;
  const cost = (
    <p className="numbers text-right text-small text-quiet">
      {formatCosts(end.ms, inputTokens + outputTokens, costUsd)}
    </p>
  );
  const back = useView((view) => whyRevoked(view, ended));
  const known = useView((view) => view.known.get(ended.revision)?.evidence);
  const now = useView((view) => currentEvidence(view, end));
  const isCurrent = useView((view) => view.revision === ended.revision);
  const failure = failureOf(since ?? known ?? lastLookEvidence(turn, end.revision) ?? NOTHING);
  const leadsWith = back !== undefined || end.outcome === "done" ? failure : undefined;
  const options = { back, known, now, failure: leadsWith };
  const { title, seen, evidence, text, modelWords } = describeEnd(turn, end, last, options);
  if (title === undefined)
    return (
      <>
        {modelWords !== undefined && (
          <Words line={line} className="">
            {modelWords}
          </Words>
        )}
        {cost}
      </>
    );
  // A success is shown as one line; a card means that the person has to act.
  if (isSound(end.verdict) && end.outcome === "done" && back === undefined)
    return (
      <>
        {modelWords !== undefined && (
          <Words line={line} className="">
            {modelWords}
          </Words>
        )}
        {text !== undefined && <Words className="text-quiet">{text}</Words>}
        <VerdictLine
          turn={turn}
          end={now ? { ...end, verdict: judge(now).verdict } : end}
          last={last}
          seen={seen ?? []}
          evidence={evidence}
        />
      </>
    );
  const state = back === undefined ? lookOf(end) : "failed";
  return (
    <section
      // Only the newest result is a landmark; one per turn would make landmarks useless.
      role={last ? undefined : "group"}
      aria-label={words.conversation.result}
      data-verdict={back === undefined ? (end.verdict ?? "none") : "failed"}
      data-outcome={end.outcome}
      className={
        leadsWith
          ? "rounded-r border-l-3 border-failed bg-failed-tint px-3 py-2.5"
          : "rounded border border-line bg-raised px-3 py-2"
      }
    >
      {leadsWith ? (
        <FailureHead title={title} failure={leadsWith} isCurrent={isCurrent && last} />
      ) : (
        <h3 className={`flex items-start gap-1.5 font-semibold ${VERDICT_COLOUR[state]}`}>
          <span className="flex h-[1.45em] items-center">
            <VerdictMark state={state} />
          </span>
          <span>{title}</span>
        </h3>
      )}
      {failure && !leadsWith && (
        <p className="mt-1 font-mono text-small break-words">
          <Placed>{visibleProse(failure.error)}</Placed>
        </p>
      )}
      {text !== undefined && (
        <Words className={`mt-1 max-h-60 overflow-auto ${leadsWith ? "text-small" : ""}`}>
          {text}
        </Words>
      )}
      {modelWords !== undefined && <Words line={line}>{modelWords}</Words>}
      {leadsWith && last && isCurrent && <BestLine end={end} />}
      <EndActions turn={turn} end={end} last={last} />
      {cost}
    </section>
  );
}

function Words({
  line,
  className = "mt-1 max-h-60 overflow-auto",
  children,
}: {
  /** The name of the line, if a search finds these words. */
  line?: string | undefined;
  className?: string;
  children: string;
}) {
  return (
    <p dir="auto" data-line={line} className={`${className} break-words whitespace-pre-wrap`}>
      <Placed>{visibleProse(children)}</Placed>
    </p>
  );
}

/** The status whose icon and colour a result gets. A run that was stopped early counts as unverified. */
function lookOf(end: RunEnd): ProjectStatus {
  if (end.outcome === "error" || end.verdict === "failed") return "failed";
  return end.outcome === "done" ? (end.verdict ?? "unverified") : "unverified";
}
