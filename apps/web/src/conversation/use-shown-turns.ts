import { useMemo } from "react";
import { shownTurns, type ShownTurns } from "../fold/folded-turns.ts";
import type { ProjectView } from "../fold/types.ts";
import { useLiveState } from "../live/live-context.tsx";
import type { LiveProject } from "../live/project-store.ts";

/** All that is known; of a long log that is still being read, its newest turns. */
const shown = ({ loaded, latest, view }: LiveProject): ProjectView =>
  loaded ? view : (latest ?? view);

/** What the conversation shows, in its order: turns, and those that were gone back from, folded. */
export function useShownTurns(): ShownTurns[] {
  const turns = useLiveState((live) => shown(live).turns);
  const messages = useLiveState((live) => shown(live).said);
  const head = useLiveState((live) => shown(live).head);
  const left = useLiveState((live) => shown(live).left);
  const checkpoints = useLiveState((live) => shown(live).checkpoints);
  return useMemo(
    () =>
      shownTurns(
        { said: messages, head, left, checkpoints },
        turns.filter((turn) => !turn.queued),
      ),
    [turns, messages, head, left, checkpoints],
  );
}
