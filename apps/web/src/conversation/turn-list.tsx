import type { RefObject } from "react";
import { useLiveState, useView } from "../live/live-context.tsx";
import { useProject } from "../project/use-project.ts";
import { EarlierTurns } from "./earlier-turns.tsx";
import { QuickRepliesRow } from "./quick-replies-row.tsx";
import { TurnView } from "./turn-view.tsx";
import { useLatestTurns } from "./use-latest-turns.ts";
import { words } from "../words/words.ts";

/**
 * The turns of the conversation. By itself, since it is drawn with every piece that comes: the field below has nothing to
 * do with that.
 * @param outer what scrolls
 */
export function TurnList({ outer }: { outer: RefObject<HTMLElement | null> }) {
  const turns = useView((view) => view.turns);
  const { demo } = useProject();
  const loaded = useLiveState((state) => state.loaded);
  const said = turns.filter((turn) => !turn.queued);
  const { from, showEarlier } = useLatestTurns(said.length, outer);
  return (
    <>
      {demo !== undefined && <p className="text-small text-quiet">{words.conversation.recorded}</p>}
      {from > 0 && <EarlierTurns count={from} onShow={showEarlier} />}
      {said.slice(from).map((turn, index) => (
        <TurnView
          key={turn.run ?? turn.message}
          turn={turn}
          last={from + index === said.length - 1}
        />
      ))}
      <QuickRepliesRow />
      {said.length === 0 && (
        <p className="pt-2 text-quiet">
          {loaded ? words.conversation.nothingYet : words.conversation.reading}
        </p>
      )}
    </>
  );
}
