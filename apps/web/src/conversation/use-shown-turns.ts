import { useMemo } from "react";
import { shownTurns, type ShownTurns } from "../fold/folded-turns.ts";
import type { ProjectView } from "../fold/types.ts";
import { useLiveState } from "../live/live-context.tsx";
import type { LiveProject } from "../live/project-store.ts";

/** The whole view; while a long log is loading, its latest turns. */
const shown = ({ loaded, latest, view }: LiveProject): ProjectView =>
  loaded ? view : (latest ?? view);

/** The conversation in order: turns, and folded groups of undone turns. */
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
