import type { Clock } from "@treadle/agent";
import { inTime } from "@treadle/common";

/** Milliseconds without a request after which a page that drew nothing is no longer waited for. */
const STILL_MS = 2_000;
/**
 * How long a page that follows the project may take to request the app after its server's start, in milliseconds.
 * After that, the page shows something else.
 */
const ASK_MS = 1_000;
/** Maximum wait for a page, in milliseconds from its start. */
const MOST_MS = 5_000;

/**
 * Tracks whether the preview is loading for the person: about to be requested or answered, with
 * nothing drawn yet. A look uses two processors for seconds, which would delay the person's page.
 */
export interface PersonPage {
  /**
   * A page of the workbench follows the project, until the returned function is called.
   * @param stop called by that function
   */
  following(stop: () => void): () => void;
  /**
   * The app's server is ready, so following pages will request it soon.
   * @param since the start of the server, so that the same start is counted once
   */
  serverUp(since: number | undefined): void;
  /** The preview begins to load in a frame of the workbench. */
  begins(): void;
  /** A page of the app sends another request. */
  goesOn(): void;
  /** A part of the page is drawn, or the page is hidden. */
  drawn(): void;
  /**
   * Resolves once no page is loading, one has made no progress for two seconds or takes over 5 s, or the signal is
   * aborted.
   */
  settled(signal: AbortSignal): Promise<void>;
}

export function createPersonPage({ now }: Pick<Clock, "now">): PersonPage {
  let coming: (PromiseWithResolvers<void> & { begun: number; still: number }) | undefined;
  const followers = new Set<symbol>();
  let up: number | undefined;
  const begins = (ms: number) => {
    coming = { ...(coming ?? Promise.withResolvers<void>()), begun: now(), still: now() + ms };
  };
  const left = () => (coming ? Math.min(coming.still, coming.begun + MOST_MS) - now() : 0);
  return {
    following(stop) {
      const follower = Symbol("follower");
      followers.add(follower);
      return () => {
        followers.delete(follower);
        stop();
      };
    },
    serverUp(since) {
      if (since !== up && followers.size > 0) begins(ASK_MS);
      up = since;
    },
    begins: () => begins(STILL_MS),
    goesOn() {
      if (coming) coming.still = now() + STILL_MS;
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
