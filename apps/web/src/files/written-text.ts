import { words } from "../words/words.ts";
import { LastLines } from "./last-lines.ts";
import { LineColours } from "./line-colours.ts";
import { ShownLines } from "./shown-lines.ts";

/** Number of lines shown before the height of the pane is known. */
const INITIAL_LINES = 60;
/** Height of a line in pixels, as in the editor. */
const LINE_HEIGHT_PX = 19.5;

export interface WrittenText {
  /** Appends text. */
  append(text: string): void;
  text(): string;
  /** Call once the text is complete. */
  end(): void;
  close(): void;
}

/**
 * Shows the end of a text that is being written, as numbered lines that cover `parent`, with colours unless it is
 * written too fast. An editor would parse, colour and lay out each piece, most of which scrolls out of sight unread.
 * @param onTakeOver called when the person scrolls up, or uses the pointer or keyboard in the text
 */
export function showWrittenText(
  parent: HTMLElement,
  path: string,
  onTakeOver: () => void,
): WrittenText {
  const dom = document.createElement("div");
  // The end stays visible, and a text shorter than the pane starts at its top.
  dom.className =
    "absolute inset-0 flex flex-col-reverse overflow-hidden bg-paper font-mono text-[13px]/[1.5] contain-strict";
  const rows = document.createElement("div");
  rows.className = "mb-auto flex py-2";
  const numbers = document.createElement("pre");
  numbers.ariaHidden = "true";
  numbers.className = "ml-1 min-w-10 shrink-0 pr-2 pl-3 text-right text-quiet";
  const lines = document.createElement("pre");
  lines.role = "textbox";
  lines.ariaReadOnly = "true";
  lines.ariaMultiLine = "true";
  lines.ariaLabel = words.files.textOf({ path });
  lines.tabIndex = 0;
  lines.className = "min-w-0 flex-1 overflow-hidden pl-[30px] [tab-size:2] outline-none";
  const shownNumbers = numbers.appendChild(document.createTextNode("1"));
  rows.append(numbers, lines);
  dom.append(rows);
  parent.append(dom);

  const pieces: string[] = [];
  const last = new LastLines(INITIAL_LINES);
  const shown = new ShownLines(lines);
  const colours = new LineColours(path, () => pieces.join(""), last, shown);
  const size = new ResizeObserver(([entry]) => {
    if (entry && entry.contentRect.height > 0)
      last.room = Math.ceil(entry.contentRect.height / LINE_HEIGHT_PX);
  });
  size.observe(dom);

  dom.addEventListener("pointerdown", onTakeOver);
  dom.addEventListener("touchmove", onTakeOver, { passive: true });
  dom.addEventListener("wheel", ({ deltaY }) => deltaY < 0 && onTakeOver(), { passive: true });
  dom.addEventListener("keydown", ({ key }) => {
    if (!/^(Tab|Shift|Control|Alt|Meta)$/.test(key)) onTakeOver();
  });
  return {
    append(text) {
      pieces.push(text);
      last.append(text);
      shown.draw(last.lines);
      shownNumbers.data = last.lines.map(({ number }) => number).join("\n");
      colours.follow(text.length);
    },
    text: () => pieces.join(""),
    end: () => colours.stop(),
    close() {
      colours.stop();
      size.disconnect();
      dom.remove();
    },
  };
}
