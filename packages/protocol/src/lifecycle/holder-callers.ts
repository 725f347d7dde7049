import type { Caller, HolderEffect } from "./holder-lifecycle.ts";

type Answer<Held> = Extract<HolderEffect<Held>, { type: "give" | "confirm" | "refuse" }>;

/** The callers that wait until a resource is open or has ended. */
export interface HolderCallers<Held> {
  /** Sends the request of a new caller. Settles once an effect answers it. */
  ask(send: (caller: Caller) => void): Promise<Held | undefined>;
  /**
   * Answers the callers that an effect names.
   * @param refusal creates the error for a refusal without one
   */
  answer(effect: Answer<Held>, refusal: () => Error): void;
}

/** Creates a promise for each caller of `holderTransition`. */
export function createHolderCallers<Held>(): HolderCallers<Held> {
  const waiting = new Map<Caller, PromiseWithResolvers<Held | undefined>>();
  let last = 0;
  return {
    ask(send) {
      const caller = ++last;
      const asked = Promise.withResolvers<Held | undefined>();
      waiting.set(caller, asked);
      send(caller);
      return asked.promise;
    },
    answer(effect, refusal) {
      for (const id of effect.callers) {
        const caller = waiting.get(id);
        waiting.delete(id);
        if (effect.type === "refuse") caller?.reject(effect.error ?? refusal());
        else caller?.resolve(effect.type === "give" ? effect.workspace : undefined);
      }
    },
  };
}
