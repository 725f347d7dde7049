import type { ITheme } from "@xterm/xterm";

/** The value of one of the page's custom properties. */
export function cssValue(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A colour of the page in computed form, because the terminal does not parse CSS functions. */
function colour(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The page's colours as a terminal theme. */
export function pageColours(): ITheme {
  const ink = colour("--ink");
  const quiet = colour("--quiet");
  return {
    background: colour("--paper"),
    foreground: ink,
    cursor: colour("--accent"),
    cursorAccent: colour("--paper"),
    selectionBackground: colour("--line"),
    black: ink,
    brightBlack: quiet,
    red: colour("--failed"),
    brightRed: colour("--failed"),
    green: colour("--verified"),
    brightGreen: colour("--verified"),
    yellow: colour("--unsure"),
    brightYellow: colour("--unsure"),
    blue: colour("--syntax-name"),
    brightBlue: colour("--syntax-name"),
    magenta: colour("--syntax-keyword"),
    brightMagenta: colour("--syntax-keyword"),
    cyan: colour("--syntax-name"),
    brightCyan: colour("--syntax-name"),
    white: quiet,
    brightWhite: ink,
  };
}

/** A colour of the page as `#rrggbb`, for code that reads nothing else. */
export function hexColour(name: string): string {
  const parts = colour(name).match(/\d+(?:\.\d+)?/g) ?? [];
  return `#${parts
    .slice(0, 3)
    .map((part) => Math.round(Number(part)).toString(16).padStart(2, "0"))
    .join("")}`;
}
