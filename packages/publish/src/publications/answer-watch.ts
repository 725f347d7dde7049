import { inTime } from "@treadle/common";
import { statusOf } from "./switch-release.ts";
import type { ReleaseApp } from "./release-app.ts";

/** So long a request waits for its answer to begin before the app is asked whether it answers anybody, in milliseconds. */
const PATIENCE_MS = 60_000;
/** So long it has for that. */
const HEALTH_MS = 15_000;

export type WatchedApp = Pick<ReleaseApp, "state" | "upSince" | "connect" | "hangs">;

/** Notices an app that runs and answers nobody any more: it is in a loop without end, or waits for what never comes. */
export interface AnswerWatch {
  /** A request goes to the app. @returns to be called when its answer begins, or nobody waits for it any more */
  begin(app: WatchedApp): () => void;
}

/**
 * A request may take as long as it likes. One that is long is a reason to ask the app for its first page, on a connection of
 * its own; where that is answered, whatever it says, the request is only slow and waits on.
 */
export function createAnswerWatch({
  patienceMs = PATIENCE_MS,
  healthMs = HEALTH_MS,
} = {}): AnswerWatch {
  const looking = new WeakSet<WatchedApp>();

  async function look(app: WatchedApp): Promise<void> {
    // One that crashed is started again by somebody else; many requests wait for one that hangs.
    if (app.state() !== "up" || looking.has(app)) return;
    looking.add(app);
    const upSince = app.upSince();
    const answers = await inTime(
      statusOf(app).then(
        () => true,
        // It refuses connections, or breaks them: that is an answer.
        () => true,
      ),
      healthMs,
    );
    looking.delete(app);
    if (answers || app.state() !== "up" || app.upSince() !== upSince) return;
    const seconds = Math.round((patienceMs + healthMs) / 1000);
    app.hangs(
      `It answered nobody for ${seconds} s and was ended. The next request starts it again.`,
    );
  }

  return {
    begin(app) {
      const timer = setTimeout(() => void look(app), patienceMs).unref();
      return () => clearTimeout(timer);
    },
  };
}
