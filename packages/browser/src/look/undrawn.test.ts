import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startBrowser } from "./person-browser.test-support.ts";
import { undrawnOf } from "./undrawn.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

it("names only the characters of a page that no available font contains", async () => {
  const page = await browser.newPage();
  // Cypro-Minoan, which hardly any font contains.
  await page.setContent("<p>Größe, naïve</p><p>\u{12f90}\u{12f91}</p>");
  expect(await undrawnOf(page)).toEqual(["\u{12f90}", "\u{12f91}"]);
  await page.setContent("<p>Größe</p>");
  expect(await undrawnOf(page)).toEqual([]);
  await page.close();
});
