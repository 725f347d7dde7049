import { Draft } from "@treadle/protocol/fold";
import type { CallItem, ProjectView, Turn } from "./types.ts";

/**
 * A mutable copy of a view. Each part is copied at most once per batch, so the cost depends on the number of entries
 * rather than on the size of the project.
 */
export class ViewDraft extends Draft<ProjectView> {
  /** The turn at `index`, ready to be modified; undefined if there is none. */
  turn(index: number): Turn | undefined {
    const turn = this.state.turns[index];
    if (!turn || this.owns(turn)) return turn;
    const copy = this.adopt({ ...turn, items: [...turn.items] });
    this.own("turns")[index] = copy;
    return copy;
  }

  addTurn(turn: Turn): void {
    this.own("turns").push(this.adopt(turn));
  }

  /** Removes a queued turn and returns it; undefined if no queued turn has that message. */
  takeQueued(message: string): Turn | undefined {
    const index = this.#queued(message);
    return index === -1 ? undefined : this.own("turns").splice(index, 1)[0];
  }

  hurry(message: string): void {
    const turn = this.turn(this.#queued(message));
    if (turn) turn.hurried = true;
  }

  /** The turn of a run; undefined if there is none. Searches from the end, because it is nearly always the last. */
  turnOfRun(run: string): Turn | undefined {
    return this.turn(this.state.turns.findLastIndex((turn) => turn.run === run));
  }

  /** Replaces a call; does nothing if it does not exist. */
  replaceCall(call: string, change: (item: CallItem) => CallItem): void {
    const { turns } = this.state;
    for (let index = turns.length - 1; index >= 0; index -= 1) {
      const at = indexOfCall(turns[index], call);
      if (at === -1) continue;
      const turn = this.turn(index);
      const item = turn?.items[at];
      if (turn && item?.kind === "call") turn.items[at] = change(item);
      return;
    }
  }

  #queued(message: string): number {
    return this.state.turns.findLastIndex((turn) => turn.message === message && turn.queued);
  }
}

/** The index of a call in its turn, or -1. Searches from the end, because most events concern the newest call. */
export function indexOfCall(turn: Turn | undefined, call: string): number {
  return turn?.items.findLastIndex((item) => item.kind === "call" && item.call === call) ?? -1;
}
