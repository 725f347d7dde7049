import { pictureOf } from "@treadle/protocol/fold";
import { visibleProse } from "@treadle/protocol/safe-text";
import { VerdictMark } from "../evidence/verdict-mark.tsx";
import type { RunEnd, Turn } from "../fold/types.ts";
import { useView } from "../live/live-context.tsx";
import { LookedPicture } from "../pictures/looked-picture.tsx";
import { EndActions } from "./end-actions.tsx";
import { words } from "../words/words.ts";

/** A turn that came to good: one line with what held and how much was changed, and a small picture of it. */
export function VerdictLine({
  turn,
  end,
  last,
  seen,
  cost,
}: {
  turn: Turn;
  end: RunEnd;
  last: boolean;
  /** What was seen to hold. */
  seen: string | undefined;
  cost: string;
}) {
  const picture = useView((view) => pictureOf(view.known.get(end.revision)?.evidence));
  return (
    <section
      // One landmark for the newest result: as many as there are turns would lead nowhere.
      role={last ? undefined : "group"}
      aria-label={words.conversation.result}
      data-verdict="verified"
      data-outcome={end.outcome}
      className="flex items-start gap-3 border-t border-line pt-2"
    >
      <div className="min-w-0 flex-1">
        <h3 className="flex items-start gap-1.5 font-semibold text-verified">
          <span className="flex h-[1.45em] items-center">
            <VerdictMark state="verified" />
          </span>
          <span>
            {words.verdict.verified}
            {seen !== undefined && (
              <span className="font-normal text-ink"> — {visibleProse(seen)}</span>
            )}
          </span>
        </h3>
        <EndActions turn={turn} end={end} last={last} />
        <p className="numbers mt-1 text-small text-quiet">{cost}</p>
      </div>
      {picture !== undefined && <LookedPicture hash={picture} of={words.evidence.thePage} small />}
    </section>
  );
}
