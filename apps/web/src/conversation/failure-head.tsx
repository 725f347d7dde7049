import { filePlaces } from "@treadle/protocol/evidence";
import { verdictOn } from "@treadle/protocol/fold";
import { visible, visibleProse } from "@treadle/protocol/safe-text";
import { Excerpt } from "../evidence/excerpt.tsx";
import type { Failure } from "../evidence/failure.ts";
import { Placed } from "../evidence/placed.tsx";
import { useKnownFiles } from "../evidence/use-known-files.ts";
import { VerdictMark } from "../evidence/verdict-mark.tsx";
import { bestRevision, shortRevision } from "../fold/select.ts";
import type { RunEnd } from "../fold/types.ts";
import { useView } from "../live/live-context.tsx";
import { words } from "../words/words.ts";

/** The error of a failed turn, shown once and large, with its line in the source. */
export function FailureHead({
  title,
  failure: { error, source = "" },
  isCurrent,
}: {
  title: string;
  failure: Failure;
  /** Whether the failed revision is the current one; otherwise the file may have changed. */
  isCurrent: boolean;
}) {
  const names = useKnownFiles();
  const place = filePlaces(source, names).find((piece) => piece.place)?.place;
  return (
    <>
      <h3 className="flex items-start gap-1.5 text-large font-semibold">
        <span className="flex h-[1.45em] items-center">
          <VerdictMark state="failed" />
        </span>
        <span dir="auto" className="max-h-40 min-w-0 overflow-auto break-words">
          <span className="text-failed">{words.conversation.failedWith({ title })}</span>{" "}
          <Placed>{visibleProse(error)}</Placed>
        </span>
      </h3>
      {place && isCurrent ? (
        <div className="mt-2">
          <Excerpt place={place} around={0} />
        </div>
      ) : (
        source !== "" &&
        !source.includes("\n") && (
          <p className="mt-1 font-mono text-small break-all">
            <Placed>{visible(source)}</Placed>
          </p>
        )
      )}
    </>
  );
}

/**
 * Names the revision that is better than the current one, with its verdict if known. Draws nothing if there is none.
 */
export function BestLine({ end }: { end: RunEnd }) {
  const best = useView((view) => bestRevision(view, end)?.revision);
  const verdict = useView((view) => {
    const best = bestRevision(view, end);
    return best && verdictOn(view, best.revision)?.verdict;
  });
  if (best === undefined) return null;
  const revision = shortRevision(best);
  return (
    <p className="mt-1 text-small">
      {verdict === undefined
        ? words.conversation.best({ revision })
        : words.conversation.bestIs({ revision, verdict: words.verdict[verdict] })}
    </p>
  );
}
