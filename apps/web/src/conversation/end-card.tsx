import { heldWords, type Verdict } from "@treadle/protocol";
import type { RunEnd, Turn } from "../fold/types.ts";
import { VerdictMark, VERDICT_COLOUR, VERDICT_WORDS } from "../project/verdict-mark.tsx";
import { costLine } from "../ui/format.ts";
import { EndActions } from "./end-actions.tsx";

const OUTCOMES: Record<Exclude<RunEnd["outcome"], "done">, string> = {
  stopped: "Stopped",
  interrupted: "Interrupted",
  error: "Ended early",
  budget: "Budget reached",
};

/** How a turn ended: the verdict with its evidence, what it cost, and what can be done next. */
export function EndCard({ turn, end, last }: { turn: Turn; end: RunEnd; last: boolean }) {
  const { inputTokens, outputTokens, costUsd } = end.usage;
  const cost = costLine(end.ms, inputTokens + outputTokens, costUsd);
  // A turn that was its own end and changed nothing has no verdict: its answer stands for itself.
  if (end.outcome === "done" && end.verdict === undefined)
    return <p className="numbers text-right text-small text-quiet">{cost}</p>;

  const state: Verdict = end.verdict ?? "unverified";
  const ended = end.outcome === "done" ? undefined : OUTCOMES[end.outcome];
  const failed = end.outcome === "error" || state === "failed";
  const colour = ended && !failed ? "text-unsure" : VERDICT_COLOUR[failed ? "failed" : state];
  return (
    <section
      aria-label="Result"
      data-verdict={end.verdict ?? "none"}
      data-outcome={end.outcome}
      className="rounded border border-line bg-raised"
    >
      <div className="px-3 pt-2 pb-2">
        <h3 className={`flex items-start gap-1.5 font-semibold ${colour}`}>
          <span className="flex h-[1.45em] items-center">
            <VerdictMark state={failed ? "failed" : state} />
          </span>
          <span>
            {ended ?? VERDICT_WORDS[state]}
            {state === "verified" && !ended && (
              <span className="font-normal text-ink"> — {seenWords(turn, end)}</span>
            )}
          </span>
        </h3>
        <EndText end={end} />
        <EndActions turn={turn} end={end} last={last} />
      </div>
      <p className="numbers border-t border-line px-3 py-1 text-right text-small text-quiet">
        {cost}
      </p>
    </section>
  );
}

function EndText({ end }: { end: RunEnd }) {
  const text = end.summary === "" ? (end.error?.message ?? "") : end.summary;
  if (text === "") return null;
  return <p className="mt-1 max-h-60 overflow-auto break-words whitespace-pre-wrap">{text}</p>;
}

/** What was seen to hold of the revision that the run ended with. */
function seenWords(turn: Turn, end: RunEnd): string {
  const look = turn.items.findLast(
    (item) => item.kind === "look" && item.evidence.revision === end.revision,
  );
  const words = look?.kind === "look" ? heldWords(look.evidence) : [];
  return words.length > 0 ? words.join(", ") : "seen to work";
}
