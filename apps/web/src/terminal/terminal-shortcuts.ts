import type { Terminal } from "@xterm/xterm";
import { copyText } from "../ui/copy-text.ts";

/**
 * Keyboard shortcuts of a terminal in a browser: Ctrl-Shift-C copies, and so does Ctrl-C while text is selected; Ctrl-V
 * pastes, except in a full-screen program, which may use it itself; Ctrl-Shift-F searches. On a Mac these use Command, and
 * Ctrl is left to the program.
 */
export function addShortcuts(terminal: Terminal, onFind: () => void): void {
  const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== "keydown" || event.altKey) return true;
    const key = event.key.toLowerCase();
    const held = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    if (!held) return true;
    if (key === "f" && event.shiftKey !== mac) {
      event.preventDefault();
      onFind();
      return false;
    }
    if (mac) return true;
    if (key === "c" && terminal.hasSelection()) {
      event.preventDefault();
      void copyText(terminal.getSelection());
      terminal.clearSelection();
      return false;
    }
    if (key === "c" && event.shiftKey) {
      event.preventDefault();
      return false;
    }
    return !(key === "v" && (event.shiftKey || terminal.buffer.active.type === "normal"));
  });
}
