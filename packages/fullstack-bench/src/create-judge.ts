import { createDriver } from "@treadle/workspace";
import { createBrowser } from "@treadle/browser";
import { cacheDirectory } from "@treadle/common/cache-directory";
import { scoreApp } from "./score-app.ts";
import type { Score, ScoreRequest } from "./types.ts";

/** Applies the rules of FullStack-Bench's judges to delivered apps. */
export interface Judge {
  /**
   * Rejects with the signal's reason, or with `WorkspaceError` if this machine cannot run anything.
   */
  score(request: ScoreRequest): Promise<Score>;
  /** Stops everything that is running. */
  close(): Promise<void>;
}

/**
 * Creates the judge of this machine, with its sandboxes and browser.
 * @param options.work the folder for copies, absolute; created if missing. Each `score` removes its
 * own copies; the folder remains.
 */
export async function createJudge(options: {
  /** Treadle's data folder, which contains prepared dependencies and the browser. */
  dataDirectory: string;
  env: Record<string, string | undefined>;
  onNotice?: (text: string) => void;
  work: string;
}): Promise<Judge> {
  const { env, onNotice = () => {}, work } = options;
  const cache = cacheDirectory(options);
  const driver = await createDriver({ cacheDirectory: cache, env, onNotice });
  return {
    score: (request) =>
      scoreApp(
        {
          driver,
          work,
          openBrowser: (gateway) => createBrowser({ cacheDirectory: cache, env, gateway }),
        },
        request,
      ),
    close: () => driver.close(),
  };
}
