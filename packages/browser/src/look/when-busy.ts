import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";

/**
 * Processor seconds in which a page only computed and did not respond. Not wall-clock time, since
 * machines differ.
 */
export const BUSY_SECONDS = 20;
/** Milliseconds between two checks; most pages respond long before the first. */
const AGAIN_MS = 1_000;

/**
 * Resolves when one of the browser's pages has computed for `seconds` since the call. A page that should have responded
 * meanwhile is then blocked by a script. Rejects with the signal's reason.
 */
export async function whenBusy(page: Page, seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(AGAIN_MS, undefined, { signal });
  const browser = page.context().browser();
  if (!browser) return new Promise(() => {});
  const cdp = await browser.newBrowserCDPSession();
  try {
    const before = await computed(cdp);
    for (;;) {
      await sleep(AGAIN_MS, undefined, { signal });
      for (const [id, time] of await computed(cdp))
        if (time - (before.get(id) ?? 0) >= seconds) return;
    }
  } finally {
    await cdp.detach().catch(() => {});
  }
}

/** Processor seconds used by each page's process. */
async function computed(cdp: CDPSession): Promise<Map<number, number>> {
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  return new Map(
    processInfo.flatMap(({ type, id, cpuTime }) => (type === "renderer" ? [[id, cpuTime]] : [])),
  );
}
