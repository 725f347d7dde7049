import { useEffect, type RefObject } from "react";
import type { ShownTurns } from "../fold/folded-turns.ts";
import { useLiveState, useProjectId } from "../live/live-context.tsx";
import { clearSearchTarget, useSearchTarget } from "../project/search-target-store.ts";
import { useWork } from "../project/work-store.ts";

/** The message id by which a turn, or a group of folded turns, is found in the DOM; undefined for an empty group. */
export const nameOf = (one: ShownTurns): string | undefined =>
  one.kind === "turn" ? one.turn.message : one.turns[0]?.message;

/** Whether a message is among these turns. */
export const containsMessage = (one: ShownTurns, message: string) =>
  one.kind === "turn"
    ? one.turn.message === message
    : one.turns.some((turn) => turn.message === message);

/** Scrolls to a message found elsewhere, once the conversation has loaded. */
export function useShowSearchTarget(
  shownTurns: readonly ShownTurns[],
  showFrom: (index: number) => void,
  outer: RefObject<HTMLElement | null>,
  leaveEnd: () => void,
): void {
  const project = useProjectId();
  const loaded = useLiveState((state) => state.loaded);
  const sought = useSearchTarget((state) => state.target);
  useEffect(() => {
    if (!loaded || sought?.project !== project || !("message" in sought)) return;
    clearSearchTarget();
    const index = shownTurns.findIndex((one) => containsMessage(one, sought.message));
    const one = shownTurns[index];
    if (!one) return;
    useWork.getState().showPane("chat");
    showFrom(index);
    // Waits two frames: the first lays out what is being drawn, and in the second the follower of the end has run.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        leaveEnd();
        outer.current
          ?.querySelector(`[data-message="${CSS.escape(nameOf(one) ?? "")}"]`)
          ?.scrollIntoView({ block: "center" });
        // Nothing scrolls if it was already in view, so a reader at the end would go on following.
        outer.current?.dispatchEvent(new Event("scroll"));
      }),
    );
  }, [loaded, sought, project, shownTurns, showFrom, outer, leaveEnd]);
}
