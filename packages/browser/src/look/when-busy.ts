import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";

/** Seconds of a processor's time in which a page only computed and answered nothing. Not of the clock: machines differ. */
export const BUSY_SECONDS = 20;
/** Milliseconds between two looks. Most pages have answered long before the first. */
const AGAIN_MS = 1_000;

/**
 * Resolves when one of the browser's pages has computed for so long since this was asked. Of a page that was to answer
 * meanwhile and did not, a script keeps it busy. Rejects with the signal's reason.
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

/** Seconds of a processor that each page's process has used. */
async function computed(cdp: CDPSession): Promise<Map<number, number>> {
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  return new Map(
    processInfo.flatMap(({ type, id, cpuTime }) => (type === "renderer" ? [[id, cpuTime]] : [])),
  );
}
