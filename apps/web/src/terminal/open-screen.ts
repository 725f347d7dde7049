import { FitAddon } from "@xterm/addon-fit";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { visible } from "@treadle/protocol/safe-text";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { cssValue, pageColours } from "./page-colours.ts";

/** Lines that can be scrolled back to. What is not printed takes no memory. */
const SCROLLBACK = 100_000;

export interface Screen {
  terminal: Terminal;
  close: () => void;
}

/**
 * A terminal screen that fills `parent`, in the page's colours. Links open only on the web and only by a click;
 * programs can neither reach the clipboard nor have the title typed back to them.
 */
export function openScreen(
  parent: HTMLElement,
  options: {
    readOnly: boolean;
    name: string;
    /** A link that a program made is followed. */
    onAddress(address: string): void;
  },
): Screen {
  const terminal = new Terminal({
    fontFamily: cssValue("--font-mono"),
    fontSize: 13,
    lineHeight: 1.25,
    scrollback: SCROLLBACK,
    convertEol: options.readOnly,
    disableStdin: options.readOnly,
    cursorBlink: false,
    cursorInactiveStyle: options.readOnly ? "none" : "outline",
    screenReaderMode: false,
    // How wide a character is counts as proposed.
    allowProposedApi: true,
    theme: pageColours(),
    // What a link is called is the program's word (OSC 8): where it leads is shown before it is followed (A41).
    linkHandler: {
      hover: (_event, address) => void (parent.title = visible(address)),
      leave: () => void (parent.title = ""),
      activate: (_event, address) => options.onAddress(address),
    },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  // As wide as the shell inside believes: without it, what is typed after an emoji is drawn over it.
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
