import { useMemo } from "react";
import { shownTurns, type ShownTurns } from "../fold/folded-turns.ts";
import { useView } from "../live/live-context.tsx";

/** What the conversation shows, in its order: turns, and those that were gone back from, folded. */
export function useShownTurns(): ShownTurns[] {
  const turns = useView((view) => view.turns);
  const said = useView((view) => view.said);
  const head = useView((view) => view.head);
  const left = useView((view) => view.left);
  const checkpoints = useView((view) => view.checkpoints);
  return useMemo(
    () =>
      shownTurns(
        { said, head, left, checkpoints },
        turns.filter((turn) => !turn.queued),
      ),
    [turns, said, head, left, checkpoints],
  );
}
