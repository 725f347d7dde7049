import { clip, rowsOf } from "./cells.ts";

/** The terminal to draw on. */
export interface Screen {
  write(text: string): unknown;
  columns?: number;
  rows?: number;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

/** Permanent lines, and below them a few that are redrawn. */
export interface LiveBlock {
  /**
   * Prints permanent text above the block; text without a line end stays in the block's first line
   * until it is complete.
   */
  print(text: string): void;
  /** Sets the lines of the block. */
  show(lines: readonly string[]): void;
  /** Removes the block while a person types, until the next `show` after `resume`. */
  pause(): void;
  resume(): void;
  /** Removes the block permanently; lines printed above it stay. */
  end(): void;
}

const HIDE = "\u001b[?25l";
const SHOW = "\u001b[?25h";
const CLEAR_BELOW = "\u001b[J";

/**
 * A block at the end of a terminal's output. Redraws only changes, keeps lines within the
 * terminal's width, and clears correctly after the terminal became narrower.
 */
export function createLiveBlock(screen: Screen): LiveBlock {
  let lines: readonly string[] = [];
  /** Printed text without a line end yet. */
  let open = "";
  let drawn: string[] = [];
  let isPaused = false;
  let hasEnded = false;
  const columns = () => Math.max(20, screen.columns ?? 80);

  /** Moves to the first row of the drawing, and clears everything below. */
  function erase(): string {
    if (drawn.length === 0) return "";
    const up = drawn.reduce((sum, line) => sum + rowsOf(line, columns()), 0);
    drawn = [];
    return `\u001b[${up}A\r${CLEAR_BELOW}`;
  }

  function draw(above = ""): void {
    if (hasEnded || isPaused) return;
    // One row stays free for the cursor.
    const most = Math.max(1, (screen.rows ?? 24) - 2);
    const target = [...(open === "" ? [] : [tail(open, columns() - 1)]), ...lines]
      .slice(-most)
      .map((line) => clip(line, columns() - 1));
    const same =
      above === "" &&
      target.length === drawn.length &&
      target.every((line, n) => line === drawn[n]);
    if (same) return;
    const back = erase();
    screen.write(`${HIDE}${back}${above}${target.map((line) => `${line}\n`).join("")}${SHOW}`);
    drawn = target;
  }

  const onResize = () => {
    if (isPaused || hasEnded) return;
    screen.write(erase());
    draw();
  };
  screen.on("resize", onResize);

  return {
    print(text) {
      const all = open + text;
      const end = all.lastIndexOf("\n") + 1;
      open = all.slice(end);
      if (isPaused || hasEnded) screen.write(all.slice(0, end));
      else draw(all.slice(0, end));
    },
    show(next) {
      lines = next;
      draw();
    },
    pause() {
      if (isPaused || hasEnded) return;
      screen.write(erase() + (open === "" ? "" : `${open}\n`));
      open = "";
      isPaused = true;
    },
    resume() {
      isPaused = false;
      draw();
    },
    end() {
      if (hasEnded) return;
      if (!isPaused) screen.write(`${erase()}${open === "" ? "" : `${open}\n`}${SHOW}`);
      open = "";
      hasEnded = true;
      screen.off("resize", onResize);
    },
  };
}

/** The end of an incomplete line that fits into one row, so that new text is visible. */
function tail(line: string, width: number): string {
  const marks = Array.from(line);
  let from = marks.length;
  while (from > 0 && rowsOf(marks.slice(from - 1).join(""), width) === 1) from--;
  return marks.slice(from).join("");
}
