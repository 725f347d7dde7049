import { inTime } from "@treadle/common";
import { statusOf } from "./switch-release.ts";
import type { ReleaseApp } from "./release-app.ts";

/**
 * How long a request waits for the start of its answer before the app's health is checked, in
 * milliseconds.
 */
const PATIENCE_MS = 60_000;
/** Time limit of the health check, in milliseconds. */
const HEALTH_MS = 15_000;

export type WatchedApp = Pick<ReleaseApp, "state" | "upSince" | "connect" | "hangs">;

/**
 * Detects an app that is running but no longer responds: it is in an endless loop, or waits
 * forever.
 */
export interface AnswerWatch {
  /**
   * Called when a request is sent to the app.
   * @returns call it when the answer begins or nobody waits for it any more
   */
  begin(app: WatchedApp): () => void;
}

/**
 * A request may take any time. A long one only triggers a request for the app's first page on a
 * separate connection; if that is answered at all, the app is merely slow.
 */
export function createAnswerWatch({
  patienceMs = PATIENCE_MS,
  healthMs = HEALTH_MS,
} = {}): AnswerWatch {
  const looking = new WeakSet<WatchedApp>();

  async function look(app: WatchedApp): Promise<void> {
    // A crashed app is restarted elsewhere, and one check is enough for many waiting requests.
    if (app.state() !== "up" || looking.has(app)) return;
    looking.add(app);
    const upSince = app.upSince();
    const answers = await inTime(
      statusOf(app).then(
        () => true,
        // Refusing or breaking a connection is a response, too.
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
