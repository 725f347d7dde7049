import type { RefObject } from "react";
import { useLiveState, useView } from "../live/live-context.tsx";
import { useProject } from "../project/use-project.ts";
import { EarlierTurns } from "./earlier-turns.tsx";
import { FoldedTurns } from "./folded-turns.tsx";
import { QuickRepliesRow } from "./quick-replies-row.tsx";
import { TurnView } from "./turn-view.tsx";
import { useLatestTurns } from "./use-latest-turns.ts";
import { useShowFound } from "./use-show-found.ts";
import { useShowSearchTarget } from "./use-show-search-target.ts";
import { useShownTurns } from "./use-shown-turns.ts";
import { words } from "../words/words.ts";

/**
 * The turns of the conversation. A separate component, because it is drawn again with every piece
 * of streamed text, and the field below is not.
 * @param outer the scrolling element
 * @param atEnd whether the reader is at its end
 * @param leaveEnd call before scrolling the reader elsewhere
 */
export function TurnList({
  outer,
  atEnd,
  leaveEnd,
}: {
  outer: RefObject<HTMLElement | null>;
  atEnd: boolean;
  leaveEnd: () => void;
}) {
  const { demo } = useProject();
  const loaded = useLiveState((state) => state.loaded);
  // A project without turns may have files that were imported or written by hand.
  const hasFiles = useView(({ revision }) => revision !== undefined);
  const shownTurns = useShownTurns();
  const last = shownTurns.findLast((one) => one.kind === "turn");
  const { from, earlier, showEarlier, showFrom } = useLatestTurns(shownTurns.length, outer, atEnd);
  useShowSearchTarget(shownTurns, showFrom, outer, leaveEnd);
  useShowFound(shownTurns, showFrom, outer, leaveEnd);
  return (
    <>
      {demo !== undefined && <p className="text-small text-quiet">{words.conversation.recorded}</p>}
      {from > 0 && <EarlierTurns at={earlier} count={from} onShow={showEarlier} />}
      {shownTurns
        .slice(from)
        .map((one) =>
          one.kind === "turn" ? (
            <TurnView key={one.turn.run ?? one.turn.message} turn={one.turn} last={one === last} />
          ) : (
            <FoldedTurns key={`folded-${one.turns[0]?.message}`} {...one} />
          ),
        )}
      <QuickRepliesRow />
      {shownTurns.length === 0 && (
        <p className="pt-2 text-quiet">
          {!loaded
            ? words.conversation.reading
            : hasFiles
              ? words.conversation.nothingYetButFiles
              : words.conversation.nothingYet}
        </p>
      )}
    </>
  );
}
