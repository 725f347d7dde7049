import type { PressedKeys, TerminalKey } from "./terminal-keys.tsx";

const ARROWS: Partial<Record<TerminalKey, string>> = { Up: "A", Down: "B", Right: "C", Left: "D" };

/**
 * The sequence that a key sends to a program.
 * @param ctrl whether Ctrl is held
 * @param application whether the program has enabled application cursor keys, as editors do
 */
export function keySequence(key: TerminalKey, ctrl: boolean, application: boolean): string {
  if (key === "Escape") return "\x1b";
  if (key === "Tab") return "\t";
  const arrow = ARROWS[key]!;
  return ctrl ? `\x1b[1;5${arrow}` : application ? `\x1bO${arrow}` : `\x1b[${arrow}`;
}

/** A character typed with Ctrl: `c` becomes 3. A character without such a code is returned unchanged. */
export function withControl(typed: string): string {
  if (typed === " ") return "\0";
  if (!/^[@-_a-z]$/.test(typed)) return typed;
  return String.fromCharCode(typed.toUpperCase().charCodeAt(0) & 31);
}

/**
 * On-screen keys, which share the terminal's connection to the shell.
 * @param send sends text as if it were typed
 * @returns the keys, and the transformation of all typed text
 */
export function createPressedKeys(
  send: (data: string) => void,
  isApplication: () => boolean,
): { keys: PressedKeys; typed(data: string): string } {
  let ctrl = false;
  let released = () => {};
  const release = () => {
    if (!ctrl) return;
    ctrl = false;
    released();
  };
  return {
    keys: {
      press(key) {
        const sequence = keySequence(key, ctrl, isApplication());
        release();
        send(sequence);
      },
      hold: (held) => void (ctrl = held),
      onReleased: (listener) => void (released = listener),
    },
    typed(data) {
      // A terminal reply is not a key.
      if (!ctrl || data.startsWith("\x1b")) return data;
      release();
      return withControl(data);
    },
  };
}
