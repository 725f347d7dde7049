import { conversationOf } from "@treadle/protocol/fold";
import type { ProjectView, Turn } from "./types.ts";

/** One turn, or consecutive turns that were undone. */
export type ShownTurns =
  | { kind: "turn"; turn: Turn }
  | {
      kind: "folded";
      turns: Turn[];
      /** The state before the turns were undone, to restore them; undefined if unknown. */
      back?: { checkpoint: string; head: string };
    };

/** The turns of the conversation; undone ones are folded in their place. */
export function shownTurns(
  view: Pick<ProjectView, "said" | "head" | "left" | "checkpoints">,
  turns: readonly Turn[],
): ShownTurns[] {
  const path = conversationOf(view);
  const shown: ShownTurns[] = [];
  for (const turn of turns) {
    if (!view.said.has(turn.message) || path.has(turn.message)) {
      shown.push({ kind: "turn", turn });
      continue;
    }
    const last = shown.at(-1);
    if (last?.kind === "folded" && last.back === undefined) last.turns.push(turn);
    else shown.push({ kind: "folded", turns: [turn] });
    const checkpoint = view.left.get(turn.message);
    const group = shown.at(-1);
    const there = view.checkpoints.some((one) => one.checkpoint === checkpoint && !one.thinned);
    if (checkpoint !== undefined && there && group?.kind === "folded")
      group.back = { checkpoint, head: turn.message };
  }
  return shown;
}

/** Whether a turn is part of the current conversation. */
export function conversationFilter(
  view: Pick<ProjectView, "said" | "head">,
): (turn: Turn) => boolean {
  const path = conversationOf(view);
  return ({ message }) => !view.said.has(message) || path.has(message);
}
