import type { ConsoleMessage, Page } from "playwright-core";

/** Marks the watch's console lines; a page that prints the mark itself only harms itself. */
const MARK = "treadle-hidden-error ";
const MOST = 8_000;

/**
 * Runs before a page's own scripts. The browser does not report errors that a handler of the page
 * suppresses (`window.onerror = () => true`, `preventDefault`), although nothing caught them.
 * Intended aborts (`AbortError`) are left out.
 */
const WATCH = `{
  const { debug } = console, later = setTimeout, cut = (text) => String(text ?? "").slice(0, ${MOST / 2});
  const tell = (event, error, message) => {
    // Handlers of the page run after this one.
    later(() => {
      if (!event.defaultPrevented || error?.name == "AbortError") return;
      debug(${JSON.stringify(MARK)} + JSON.stringify({ name: cut(error?.name), message: cut(error?.message ?? message), stack: cut(error?.stack) }));
    });
  };
  addEventListener("error", (event) => event.message && tell(event, event.error, event.message), true);
  addEventListener("unhandledrejection", (event) => tell(event, event.reason, event.reason), true);
}`;

/** Starts the watch for suppressed errors. Await it before the page is opened. */
export const watchHiddenErrors = (page: Page) => page.addInitScript(WATCH);

/** The error in a console line written by `watchHiddenErrors`. */
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
