import type { Browser } from "playwright-core";
import { BrowserError } from "./types.ts";

/** Milliseconds for what a browser was doing to end by itself, once the browser has. */
const LEFT_MS = 3_000;

/**
 * What is done with a browser, which ends at the latest a moment after the browser does: a driver whose browser ends between
 * two of its steps may wait for an answer for ever.
 * @param ms given to it once the browser is gone, to tell what it saw until then
 * @throws BrowserError where it did not end by then
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
