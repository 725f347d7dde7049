import type { Page } from "playwright-core";

/**
 * The page's network status. In the sandbox Chromium sees no network device, and would report
 * offline.
 */
const answering = (isOnline: boolean) =>
  `Object.defineProperty(Navigator.prototype, "onLine", { configurable: true, enumerable: true, get: () => ${isOnline} });`;

/** Reports a network to a page before it is opened. */
export const beginOnline = (page: Page) => page.addInitScript({ content: answering(true) });

/** Switches a page's network off or on, and its status with it. Rejects if the page is closed. */
export async function setOnline(page: Page, isOnline: boolean): Promise<void> {
  const script = `${answering(isOnline)} dispatchEvent(new Event(${isOnline ? '"online"' : '"offline"'}));`;
  await page.context().setOffline(!isOnline);
  await page.addInitScript({ content: answering(isOnline) });
  await page.evaluate(script);
}
