import type { IMarker, Terminal } from "@xterm/xterm";
import { findError } from "./find-error.ts";
import { linesFrom } from "./logical-lines.ts";

/** A screen is read when nothing was printed for so long, or at the latest after `LATEST_MS`. */
const QUIET_MS = 250;
const LATEST_MS = 2_000;
/** Rows that are read at most, the newest. */
const ROWS = 400;

/**
 * Tells of an error that a screen shows since the last command, and when it is over. What is drawn of the past, and
 * what a program draws that has the whole screen, is none.
 * @returns `sent`: a command was sent; `isPast`: whether what is drawn now was printed before
 */
export function watchErrors(
  terminal: Terminal,
  isPast: () => boolean,
  onError: (error: string | undefined) => void,
): { sent(): void; end(): void } {
  let since: IMarker | undefined;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let latest: ReturnType<typeof setTimeout> | undefined;
  let reported: string | undefined;

  const report = (error: string | undefined) => {
    if (error !== reported) onError((reported = error));
  };
  const begin = () => {
    since?.dispose();
    since = terminal.registerMarker(0);
  };
  function read(): void {
    clearTimeout(quiet);
    clearTimeout(latest);
    latest = undefined;
    const buffer = terminal.buffer.active;
    if (buffer.type === "alternate") return;
    // A marker that was scrolled out of what is kept: all that is there was printed since.
    const first = since && !since.isDisposed ? since.line : 0;
    report(findError(linesFrom(buffer, Math.max(first, buffer.length - ROWS))));
  }

  const parsed = terminal.onWriteParsed(() => {
    if (isPast()) return begin();
    if (!since) begin();
    clearTimeout(quiet);
    quiet = setTimeout(read, QUIET_MS);
    latest ??= setTimeout(read, LATEST_MS);
  });
  return {
    sent() {
      begin();
      report(undefined);
    },
    end() {
      clearTimeout(quiet);
      clearTimeout(latest);
      parsed.dispose();
      since?.dispose();
    },
  };
}
