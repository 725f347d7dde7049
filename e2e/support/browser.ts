import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
// Only this module: loading the whole server again for each file took longer than many of the
// tests.
import { findChromium } from "@treadle/browser";
import { shareBrowser } from "../../packages/browser/src/look/shared-browser.test-support.ts";
import { root } from "./treadle.ts";

/** Where tests leave what they saw, if they are asked to: people look at it, and nothing compares its pixels. */
const pictures = join(root, ".cache/pictures");
/**
 * A picture takes a quarter of a second of a processor, and there are two hundred: too much for runs that nobody looks at.
 * What only makes the page ready for one, in another width or theme, is left out then as well.
 */
export const ARE_PICTURES_TAKEN = process.env["TREADLE_TEST_PICTURES"] === "1";

/** A loaded machine is slow, not wrong: anything that is waited for at a page may take so long. */
const PATIENCE_MS = 90_000;

/**
 * `shell`: the one that all tests use (`scripts/test-browser.ts`). `system`: the machine's own, if it has one, for what a
 * shell without windows and tabs does in another way.
 */
export type TestBrowser = "shell" | "system";

/**
 * A Chromium as a person's: storage partitioning stays on (Playwright's own feature list switches it off). Files of a
 * worker share it; `close` closes only the contexts that were opened through what this returns.
 * @param more arguments of its command
 */
export async function startBrowser(
  more: readonly string[] = [],
  which: TestBrowser = "shell",
): Promise<Browser> {
  const env = which === "shell" ? process.env : { PATH: process.env["PATH"] };
  const found = await findChromium({ env, cacheDirectory: join(root, ".cache") });
  if (!found) throw new Error("no browser: install chromium, or set TREADLE_CHROMIUM");
  const options = {
    executablePath: found.executable,
    env: { ...process.env, ...found.env } as Record<string, string>,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // What the address bar would show has a process of its own in each context, which takes as long as the page's.
      "--disable-features=Translate,WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess",
      ...more,
    ],
  };
  return shareBrowser(options, PATIENCE_MS);
}

/**
 * With `TREADLE_TEST_PICTURES=1`, leaves a picture of the page under `.cache/pictures`; with `fullPage`, also of what is
 * scrolled out of sight. A JPEG: a PNG takes several times as long.
 */
export async function picture(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (!ARE_PICTURES_TAKEN) return;
  mkdirSync(pictures, { recursive: true });
  const path = join(pictures, `${name}.jpg`);
  await page.screenshot({ path, type: "jpeg", quality: 85, fullPage });
}
