import type { Clock } from "@treadle/agent";
import { inTime } from "../common/in-time.ts";

/** A page that asks for nothing more for so many milliseconds, and drew nothing, is not waited for. */
const STILL_MS = 1_000;
/** The longest that anybody waits for one, in milliseconds from its beginning. */
const MOST_MS = 5_000;

/**
 * Whether the preview is on its way to the person: answered, and nothing of it drawn yet. A look takes two processors
 * for seconds, the app's server and the gateway among them; what a person waits for is first.
 */
export interface PersonPage {
  /** It begins to be answered to a frame of the workbench. */
  begins(): void;
  /** Something more is asked for, by it or by another page of the app. */
  goesOn(): void;
  /** Something of it is drawn, or it is not to be seen. */
  drawn(): void;
  /**
   * Resolves when no page is on its way any more, or one that is stands still for a second or takes over 5 s; and with
   * the signal.
   */
  settled(signal: AbortSignal): Promise<void>;
}

export function createPersonPage({ now }: Pick<Clock, "now">): PersonPage {
  let coming: (PromiseWithResolvers<void> & { begun: number; moved: number }) | undefined;
  const left = () =>
    coming ? Math.min(coming.moved + STILL_MS, coming.begun + MOST_MS) - now() : 0;
  return {
    begins() {
      coming = { ...(coming ?? Promise.withResolvers<void>()), begun: now(), moved: now() };
    },
    goesOn() {
      if (coming) coming.moved = now();
    },
    drawn() {
      coming?.resolve();
      coming = undefined;
    },
    async settled(signal) {
      for (let ms = left(); coming && ms > 0 && !signal.aborted; ms = left())
        await inTime(coming.promise, ms, signal);
    },
  };
}
