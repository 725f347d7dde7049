/** Simulates workspaces that open and end, or fail to, and callers at any time. */
import type { Happening, World } from "./interleavings.test-support.ts";
import {
  EMPTY_HOLDER,
  holderTransition,
  type Caller,
  type HolderEffect,
  type HolderEvent,
  type HolderState,
} from "./holder-lifecycle.ts";

type Event = HolderEvent<number>;

export function holderWorld(): World<HolderState<number>, Event, HolderEffect<number>> {
  const alive = new Set<number>();
  const ending = new Set<number>();
  const unanswered = new Map<Caller, string>();
  let workspaces = 0;
  let calls = 0;

  const ask = (type: "open" | "release" | "close") => () => {
    unanswered.set(++calls, type);
    return { type, caller: calls };
  };
  function answer(callers: readonly Caller[], matches: (type: string) => boolean): void {
    for (const caller of callers) {
      const type = unanswered.get(caller);
      if (type === undefined) throw new Error(`caller ${caller} was answered twice`);
      if (!matches(type)) throw new Error(`${type} of caller ${caller} got the wrong answer`);
      unanswered.delete(caller);
    }
  }
  const begin = (event: (workspace: number) => Event) => () => {
    alive.add(++workspaces);
    return event(workspaces);
  };
  function perform(effect: HolderEffect<number>): Happening<Event>[] {
    switch (effect.type) {
      case "open":
        if (alive.size > 0) throw new Error("opened although another one is there");
        return [
          begin((workspace) => ({ type: "opened", workspace })),
          () => ({ type: "open-failed", error: "no room" }),
          begin((workspace) => ({ type: "opened-unfit", workspace, error: "not to be used" })),
        ];
      case "end": {
        const { workspace } = effect;
        if (!alive.has(workspace)) throw new Error("ended one that is gone");
        if (ending.has(workspace)) throw new Error("ended twice at once");
        ending.add(workspace);
        const finish = (event: Event) => () => {
          ending.delete(workspace);
          if (event.type === "ended") alive.delete(workspace);
          return event;
        };
        return [finish({ type: "ended" }), finish({ type: "end-failed", error: "does not end" })];
      }
      case "give":
        if (!alive.has(effect.workspace) || ending.has(effect.workspace))
          throw new Error("gave one that is being ended or gone");
        answer(effect.callers, (type) => type === "open");
        return [];
      case "confirm":
        if (alive.size > 0) throw new Error("confirmed an end although one is there");
        answer(effect.callers, (type) => type !== "open");
        return [];
      case "refuse":
        answer(effect.callers, () => true);
        return [];
    }
  }
  return {
    initial: EMPTY_HOLDER,
    transition: holderTransition,
    perform,
    // Closing is rarer than other events, since most problems occur before it.
    offers: () => [
      ask("open"),
      ask("release"),
      ask("open"),
      ask("release"),
      ...(calls > 8 ? [ask("close")] : []),
      ...[...alive].map((workspace) => (): Event => {
        alive.delete(workspace);
        return { type: "gone", workspace };
      }),
    ],
    check(state) {
      if (state.phase !== "opening" && state.phase !== "ending" && state.waiting.length > 0)
        throw new Error("somebody waits for nothing");
      if (state.phase === "empty" && alive.size > 0) throw new Error("one is forgotten");
    },
    // The project can still be used, whatever failed before, and leaves nothing behind.
    closing: [ask("open"), ask("close"), ask("close")],
    checkAtEnd(state) {
      if (unanswered.size > 0) throw new Error(`${[...unanswered.values()].join()} unanswered`);
      if (alive.size > 0) throw new Error("a workspace outlives its holder");
      if (state.phase !== "empty" || !state.isClosed) throw new Error("not closed at the end");
    },
    anyEvents: [
      { type: "opened", workspace: 0 },
      { type: "open-failed", error: "" },
      { type: "opened-unfit", workspace: 0, error: "" },
      { type: "gone", workspace: 0 },
      { type: "ended" },
      { type: "end-failed", error: "" },
      { type: "open", caller: 0 },
      { type: "release", caller: 0 },
      { type: "close", caller: 0 },
    ],
  };
}
