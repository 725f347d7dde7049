import { createDriver } from "@treadle/workspace";
import { createBrowser } from "@treadle/browser";
import { cacheDirectory } from "@treadle/common/cache-directory";
import { scoreApp } from "./score-app.ts";
import type { Score, ScoreRequest } from "./types.ts";

/** Plays the rules of FullStack-Bench's judges on apps as they were handed over. */
export interface Judge {
  /** Rejects with the signal's reason, and with `WorkspaceError` where this machine cannot run anything. */
  score(request: ScoreRequest): Promise<Score>;
  /** Stops what runs. */
  close(): Promise<void>;
}

/**
 * The judge on this machine: its sandboxes and its browser.
 * @param options.work a folder for copies, absolute; made if missing. What is made in it is removed.
 */
export async function createJudge(options: {
  /** Of Treadle: prepared dependencies and the browser are kept there. */
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
