import type { Page } from "playwright-core";

/** Runs in the page. What its databases hold is not read: of a page that has one, nothing is known. */
const READ = `(async () => {
  if ((await indexedDB.databases()).length > 0) return undefined;
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]);
})()`;

/** What the browser keeps for a page: storage and cookies. Undefined where that cannot be known. Never rejects. */
export const keptByBrowser = (page: Page): Promise<string | undefined> =>
  page.evaluate<string | undefined>(READ).catch(() => undefined);
