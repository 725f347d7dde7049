import { useEffect, type RefObject } from "react";
import type { ShownTurns } from "../fold/folded-turns.ts";
import { useLiveState, useProjectId } from "../live/live-context.tsx";
import { found, useSought } from "../project/sought-store.ts";
import { useWork } from "../project/work-store.ts";

/** The name by which what is drawn of a turn, or of folded ones, is found. */
export const nameOf = (one: ShownTurns): string | undefined =>
  one.kind === "turn" ? one.turn.message : one.turns[0]?.message;

const holds = (one: ShownTurns, message: string) =>
  one.kind === "turn"
    ? one.turn.message === message
    : one.turns.some((turn) => turn.message === message);

/** Brings a message that was found elsewhere into sight, once the conversation is read. */
export function useShowSought(
  shownTurns: readonly ShownTurns[],
  showFrom: (index: number) => void,
  outer: RefObject<HTMLElement | null>,
  leaveEnd: () => void,
): void {
  const project = useProjectId();
  const loaded = useLiveState((state) => state.loaded);
  const sought = useSought((state) => state.sought);
  useEffect(() => {
    if (!loaded || sought?.project !== project || !("message" in sought)) return;
    found();
    const index = shownTurns.findIndex((one) => holds(one, sought.message));
    const one = shownTurns[index];
    if (!one) return;
    useWork.getState().showPane("chat");
    showFrom(index);
    // Twice: what is drawn now is laid out at the first, and the follower of the end has had its turn at the second.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        leaveEnd();
        outer.current
          ?.querySelector(`[data-message="${CSS.escape(nameOf(one) ?? "")}"]`)
          ?.scrollIntoView({ block: "center" });
        // Where it was in sight already nothing scrolls: whoever is at the end still follows it.
        outer.current?.dispatchEvent(new Event("scroll"));
      }),
    );
  }, [loaded, sought, project, shownTurns, showFrom, outer, leaveEnd]);
}
