import { setTimeout as sleep } from "node:timers/promises";
import type { Workspace } from "../types.ts";

/**
 * Milliseconds without work that count as quiet: within them, a page that was just served loads, and the next command
 * of a run follows.
 */
const QUIET_MS = 5_000;

/** Tracks whether any project is working, so that background work can wait. */
export function createGiveWay(pause: (ms: number) => Promise<unknown> = sleep, quietMs = QUIET_MS) {
  let atWork = 0;
  /** How many times work has started. */
  let begun = 0;
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  /**
   * Notes that work starts.
   * @returns a function to call once at the end of that work
   */
  function begin(): () => void {
    begun++;
    if (atWork++ === 0) idle = Promise.withResolvers<void>();
    return () => {
      if (--atWork === 0) idle.resolve();
    };
  }

  return {
    begin,

    /** Resolves once no project has been active for a while; immediately if none ever was. */
    async whenQuiet(): Promise<void> {
      for (let seen = 0; seen !== begun;) {
        await idle.promise;
        seen = begun;
        await pause(quietMs);
        if (atWork > 0) seen = -1;
      }
    },

    /** The same workspace, with its commands and starting servers counted as work. */
    noting(workspace: Workspace): Workspace {
      const noted =
        <Words extends unknown[], Result>(act: (...words: Words) => Promise<Result>) =>
        async (...words: Words): Promise<Result> => {
          const end = begin();
          try {
            return await act(...words);
          } finally {
            end();
          }
        };
      const { run, start, prove } = workspace;
      return Object.assign(workspace, {
        run: noted(run),
        start: noted(start),
        prove: noted(prove),
      });
    },
  };
}

export type GiveWay = ReturnType<typeof createGiveWay>;

/**
 * Shell words before a background command, which then gets only idle time. Linux divides the
 * processors between sessions first (autogroup), and `nice` only applies within each, so the
 * priority of a separate session as a whole has to be lowered.
 */
export const IN_BACKGROUND =
  "echo 19 2>/dev/null > /proc/self/autogroup; exec chrt --idle 0 ionice -c 3 nice -n 19";
