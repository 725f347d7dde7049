import { setTimeout as sleep } from "node:timers/promises";
import type { Workspace } from "../types.ts";

/** A page that was just served loads, and the next command of a run follows, within this time. */
const QUIET_MS = 5_000;

/** Whether somebody's project is at work, so that what can wait does. */
export function createGiveWay(pause: (ms: number) => Promise<unknown> = sleep) {
  let atWork = 0;
  /** Grows whenever somebody's work begins. */
  let begun = 0;
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  /** @returns to be called at the end of that work, once */
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
        await pause(QUIET_MS);
        if (atWork > 0) seen = -1;
      }
    },

    /** The same workspace, whose commands and servers on their way up count as work. */
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
 * Before a command of the background: it gets what the others leave. Linux shares the processors between sessions first
 * (autogroup), and within each by `nice` alone, so that a session of its own has to step back as a whole.
 */
export const IN_BACKGROUND =
  "echo 19 2>/dev/null > /proc/self/autogroup; exec chrt --idle 0 ionice -c 3 nice -n 19";
