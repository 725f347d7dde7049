import type { IMarker, Terminal } from "@xterm/xterm";
import { findError } from "./find-error.ts";
import { linesFrom } from "./logical-lines.ts";

/** A screen is scanned after this long without output, or after `LATEST_MS` at the latest. */
const QUIET_MS = 250;
const LATEST_MS = 2_000;
/** Maximum rows scanned, the newest. */
const MAX_ROWS = 400;

/**
 * Reports an error on a screen since the last command, and when it is gone. Ignores replayed output and full-screen
 * programs.
 * @returns `sent`: call when a command was sent; `isReplay`: whether the output being drawn is a replay
 */
export function watchErrors(
  terminal: Terminal,
  isReplay: () => boolean,
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
    // The marker was scrolled out, so everything in the buffer was printed after it.
    const first = since && !since.isDisposed ? since.line : 0;
    report(findError(linesFrom(buffer, Math.max(first, buffer.length - MAX_ROWS))));
  }

  const parsed = terminal.onWriteParsed(() => {
    if (isReplay()) return begin();
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
