import type { Caller, HolderEffect } from "./holder-lifecycle.ts";

type Answer<Held> = Extract<HolderEffect<Held>, { type: "give" | "confirm" | "refuse" }>;

/** Those who wait for something that is held to be open or gone. */
export interface HolderCallers<Held> {
  /** Sends the request of a new caller. Settles once an effect answers it. */
  ask(send: (caller: Caller) => void): Promise<Held | undefined>;
  /** @param refusal the reason of a refusal that has none */
  answer(effect: Answer<Held>, refusal: () => Error): void;
}

/** The promises behind the callers of `holderTransition`. */
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
