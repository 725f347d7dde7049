import type { ProjectStatus } from "@treadle/protocol/fold";
import { isSound, judge } from "@treadle/protocol/evidence";
import { seenSince, soundNow, takenBack } from "../fold/select.ts";
import type { RunEnd, Turn } from "../fold/types.ts";
import { useView } from "../live/live-context.tsx";
import { firstError } from "../evidence/first-error.ts";
import { Placed } from "../evidence/placed.tsx";
import { VerdictMark, VERDICT_COLOUR } from "../evidence/verdict-mark.tsx";
import { costLine } from "../ui/format.ts";
import { visibleProse } from "@treadle/protocol/safe-text";
import { EndActions } from "./end-actions.tsx";
import { endAsSeen, endWords } from "./end-words.ts";
import { words } from "../words/words.ts";
import { VerdictLine } from "./verdict-line.tsx";

/** How a turn ended: the verdict with its evidence, what it cost, and what can be done next. */
export function EndCard({ turn, end: ended, last }: { turn: Turn; end: RunEnd; last: boolean }) {
  const since = useView((view) => seenSince(view, ended));
  const end = since ? endAsSeen(ended, since) : ended;
  const { inputTokens, outputTokens, costUsd } = end.usage;
  const cost = costLine(end.ms, inputTokens + outputTokens, costUsd);
  const back = useView((view) => takenBack(view, ended));
  const known = useView((view) => view.known.get(ended.revision)?.evidence);
  const now = useView((view) => soundNow(view, end));
  const { title, seen, evidence, text, said } = endWords(turn, end, last, { back, known, now });
  if (title === undefined)
    return (
      <>
        {said !== undefined && <Words className="">{said}</Words>}
        <p className="numbers text-right text-small text-quiet">{cost}</p>
      </>
    );
  // What went well is no news: a card is for what needs the person.
  if (isSound(end.verdict) && end.outcome === "done" && back === undefined)
    return (
      <>
        {said !== undefined && <Words className="">{said}</Words>}
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
  const isThrown = back === undefined && end.verdict === "failed";
  const thrown = isThrown ? (since ? firstError(since) : thrownIn(turn)) : undefined;
  return (
    <section
      // One landmark for the newest result: as many as there are turns would lead nowhere.
      role={last ? undefined : "group"}
      aria-label={words.conversation.result}
      data-verdict={back === undefined ? (end.verdict ?? "none") : "failed"}
      data-outcome={end.outcome}
      className="rounded border border-line bg-raised"
    >
      <div className="px-3 pt-2 pb-2">
        <h3 className={`flex items-start gap-1.5 font-semibold ${VERDICT_COLOUR[state]}`}>
          <span className="flex h-[1.45em] items-center">
            <VerdictMark state={state} />
          </span>
          <span>{title}</span>
        </h3>
        {thrown !== undefined && (
          <p className="mt-1 font-mono text-small break-words">
            <Placed>{thrown}</Placed>
          </p>
        )}
        {text !== undefined && <Words>{text}</Words>}
        {said !== undefined && <Words>{said}</Words>}
        <EndActions turn={turn} end={end} last={last} />
      </div>
      <p className="numbers border-t border-line px-3 py-1 text-right text-small text-quiet">
        {cost}
      </p>
    </section>
  );
}

function Words({
  className = "mt-1 max-h-60 overflow-auto",
  children,
}: {
  className?: string;
  children: string;
}) {
  return (
    <p dir="auto" className={`${className} break-words whitespace-pre-wrap`}>
      <Placed>{visibleProse(children)}</Placed>
    </p>
  );
}

/** What the last look at the turn's work was told first of what is wrong: an exit code says nothing to anybody. */
function thrownIn({ items }: Turn): string | undefined {
  const look = items.findLast((item) => item.kind === "look");
  return look?.kind === "look" ? firstError(look.evidence) : undefined;
}

/** The sign and colour of an end: what was ended before its own end is not shown as verified. */
function lookOf(end: RunEnd): ProjectStatus {
  if (end.outcome === "error" || end.verdict === "failed") return "failed";
  return end.outcome === "done" ? (end.verdict ?? "unverified") : "unverified";
}
