import type { CallItem, Place, ProjectView, Turn, TurnItem } from "./types.ts";

/**
 * A view that is being changed: what is touched is copied once, however many entries touch it, so that a batch costs
 * its entries and not the project.
 */
export class Draft {
  readonly view: ProjectView;
  readonly #own = new Set<object>();

  constructor(view: ProjectView) {
    this.view = { ...view };
  }

  /** The turn at `index`, free to be changed. */
  turn(index: number): Turn | undefined {
    const turn = this.view.turns[index];
    if (!turn || this.#own.has(turn)) return turn;
    const copy = { ...turn, items: [...turn.items] };
    this.#own.add(copy);
    this.turns()[index] = copy;
    return copy;
  }

  addTurn(turn: Turn): void {
    this.#own.add(turn);
    this.turns().push(turn);
  }

  /** Takes out a turn that has no run: no place leads to it, nor to one after it. */
  takeQueued(message: string): Turn | undefined {
    const index = this.view.turns.findLastIndex((turn) => turn.message === message && turn.queued);
    return index === -1 ? undefined : this.turns().splice(index, 1)[0];
  }

  hurry(message: string): void {
    const index = this.view.turns.findLastIndex((turn) => turn.message === message && turn.queued);
    const turn = this.turn(index);
    if (turn) turn.hurried = true;
  }

  /** Newest first: a run is nearly always the last turn's. */
  turnOfRun(run: string): Turn | undefined {
    for (let index = this.view.turns.length - 1; index >= 0; index -= 1)
      if (this.view.turns[index]?.run === run) return this.turn(index);
    return undefined;
  }

  /** Puts `change` in place of the item; does nothing where there is none. */
  replaceItem(place: Place, change: (item: TurnItem) => TurnItem): void {
    const turn = this.turn(place.turn);
    const item = turn?.items[place.item];
    if (turn && item) turn.items[place.item] = change(item);
  }

  replaceCall(call: string, change: (item: CallItem) => CallItem): void {
    const place = this.view.places.get(call);
    if (place) this.replaceItem(place, (item) => (item.kind === "call" ? change(item) : item));
  }

  place(call: string, place: Place): void {
    this.#owned("places", () => new Map(this.view.places));
    (this.view.places as Map<string, Place>).set(call, place);
  }

  changes(): Map<
    string,
    { seq: number; by: "model" | "person" | "command"; kind: "written" | "removed" }
  > {
    this.#owned("changes", () => new Map(this.view.changes));
    return this.view.changes as ReturnType<Draft["changes"]>;
  }

  turns(): Turn[] {
    this.#owned("turns", () => [...this.view.turns]);
    return this.view.turns;
  }

  #owned<K extends "turns" | "places" | "changes">(key: K, copy: () => ProjectView[K]): void {
    if (this.#own.has(this.view[key])) return;
    this.view[key] = copy();
    this.#own.add(this.view[key]);
  }
}
