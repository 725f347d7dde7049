import type { ConsoleMessage, Page } from "playwright-core";

/** How the page's own watch says so; a page that says it itself speaks against itself alone. */
const MARK = "treadle-hidden-error ";
const MOST = 8_000;

/**
 * Runs before a page's own scripts. What a page throws is not told by the browser where a handler of the page's own says
 * that all is well (`window.onerror = () => true`, `preventDefault`): nobody caught it all the same. What the page itself
 * called off (`AbortError`) is none.
 */
const WATCH = `{
  const { debug } = console, later = setTimeout, cut = (text) => String(text ?? "").slice(0, ${MOST / 2});
  const tell = (event, error, message) => {
    // Those who say so come after this one.
    later(() => {
      if (!event.defaultPrevented || error?.name == "AbortError") return;
      debug(${JSON.stringify(MARK)} + JSON.stringify({ name: cut(error?.name), message: cut(error?.message ?? message), stack: cut(error?.stack) }));
    });
  };
  addEventListener("error", (event) => event.message && tell(event, event.error, event.message), true);
  addEventListener("unhandledrejection", (event) => tell(event, event.reason, event.reason), true);
}`;

/** Has to be waited for before the page is opened. */
export const watchHiddenErrors = (page: Page) => page.addInitScript(WATCH);

/** The error that a line of the console tells of, where `watchHiddenErrors` wrote it. */
export function readHiddenError(line: ConsoleMessage): Error | undefined {
  const text = line.text();
  if (line.type() !== "debug" || !text.startsWith(MARK) || text.length > MARK.length + 2 * MOST)
    return undefined;
  try {
    const { name, message, stack } = JSON.parse(text.slice(MARK.length)) as Record<string, unknown>;
    return Object.assign(new Error(String(message)), {
      name: String(name || "Error"),
      stack: String(stack),
    });
  } catch {
    return undefined;
  }
}
