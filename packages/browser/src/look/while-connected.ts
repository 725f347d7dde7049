import type { Browser } from "playwright-core";
import { BrowserError } from "./types.ts";

/** Time limit for work to end once its browser has, in milliseconds. */
const LEFT_MS = 3_000;

/**
 * Runs work with a browser, and ends it shortly after the browser: a driver whose browser ends between two steps may
 * wait forever.
 * @param ms time for the work to report what it has observed, in milliseconds
 * @throws BrowserError if the work has not ended by then
 */
export async function whileConnected<T>(
  browser: Pick<Browser, "isConnected" | "once" | "off">,
  work: Promise<T>,
  ms = LEFT_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let isGone = () => {};
  const gone = new Promise<never>((_, reject) => {
    isGone = () => {
      timer ??= setTimeout(
        () => reject(new BrowserError("The browser was closed while the page was open.")),
        ms,
      );
    };
    browser.once("disconnected", isGone);
    if (!browser.isConnected()) isGone();
  });
  try {
    return await Promise.race([work, gone]);
  } finally {
    browser.off("disconnected", isGone);
    clearTimeout(timer);
  }
}
