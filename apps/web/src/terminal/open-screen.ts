import { FitAddon } from "@xterm/addon-fit";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { visible } from "@treadle/protocol/safe-text";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { cssValue, pageColours } from "./page-colours.ts";

/** Lines of scrollback. Unused lines take no memory. */
const SCROLLBACK_LINES = 100_000;

export interface Screen {
  terminal: Terminal;
  close: () => void;
}

/**
 * Opens a terminal screen that fills `parent`, in the page's colours. A link made by a program does nothing but call
 * `onAddress` when clicked; programs cannot reach the clipboard or read back the title.
 */
export function openScreen(
  parent: HTMLElement,
  options: {
    readOnly: boolean;
    name: string;
    /** Called when a link made by a program is clicked. */
    onAddress(address: string): void;
  },
): Screen {
  const terminal = new Terminal({
    fontFamily: cssValue("--font-mono"),
    fontSize: 13,
    lineHeight: 1.25,
    scrollback: SCROLLBACK_LINES,
    convertEol: options.readOnly,
    disableStdin: options.readOnly,
    cursorBlink: false,
    cursorInactiveStyle: options.readOnly ? "none" : "outline",
    screenReaderMode: false,
    // The width of characters is still a proposed API.
    allowProposedApi: true,
    theme: pageColours(),
    // A program chooses the text of its link (OSC 8), so the URL is shown before it opens (A41).
    linkHandler: {
      hover: (_event, address) => void (parent.title = visible(address)),
      leave: () => void (parent.title = ""),
      activate: (_event, address) => options.onAddress(address),
    },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  // Uses the same character widths as the shell; otherwise text typed after an emoji overlaps it.
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  terminal.open(parent);
  terminal.textarea?.setAttribute("aria-label", options.name);
  const refit = () => {
    if (parent.clientWidth > 0 && parent.clientHeight > 0) fit.fit();
  };
  refit();
  const sizes = new ResizeObserver(refit);
  sizes.observe(parent);
  const recolour = () => {
    terminal.options.theme = pageColours();
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", recolour);
  const themes = new MutationObserver(recolour);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return {
    terminal,
    close: () => {
      sizes.disconnect();
      themes.disconnect();
      dark.removeEventListener("change", recolour);
      terminal.dispose();
    },
  };
}
