import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { findChromium } from "../look/find-chromium.ts";
import { shareBrowser } from "./shared-browser.test-support.ts";

/**
 * Starts a real Chromium like a person's own browser: without proxy or sandbox. Shared by the test
 * files of a worker.
 * @param env environment of the search; without a named browser, the machine's own is used instead
 * of the one for tests
 */
export async function startBrowser(env: NodeJS.ProcessEnv = process.env): Promise<Browser> {
  const cacheDirectory = process.env.TREADLE_CACHE ?? (await mkdtemp(join(tmpdir(), "chromium-")));
  const found = await findChromium({ env, cacheDirectory });
  if (!found) throw new Error("There is no Chromium here; set TREADLE_CHROMIUM to one.");
  return shareBrowser({
    executablePath: found.executable,
    env: { ...process.env, ...found.env } as Record<string, string>,
    // The last list of features counts: Playwright's own would switch storage partitioning off.
    args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-features=Translate"],
  });
}
