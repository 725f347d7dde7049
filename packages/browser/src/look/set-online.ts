import type { Page } from "playwright-core";

/** What a page reads of its network. In the browser's sandbox Chromium sees no device, and would say that there is none. */
const answering = (isOnline: boolean) =>
  `Object.defineProperty(Navigator.prototype, "onLine", { configurable: true, enumerable: true, get: () => ${isOnline} });`;

/** Tells a page that was not opened yet that there is a network. */
export const beginOnline = (page: Page) => page.addInitScript({ content: answering(true) });

/** Takes the network away from a page, or gives it back, and tells it so. Rejects where the page is gone. */
export async function setOnline(page: Page, isOnline: boolean): Promise<void> {
  const script = `${answering(isOnline)} dispatchEvent(new Event(${isOnline ? '"online"' : '"offline"'}));`;
  await page.context().setOffline(!isOnline);
  await page.addInitScript({ content: answering(isOnline) });
  await page.evaluate(script);
}
