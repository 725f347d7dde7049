import type { PressedKeys, TerminalKey } from "./terminal-keys.tsx";

const ARROWS: Partial<Record<TerminalKey, string>> = { Up: "A", Down: "B", Right: "C", Left: "D" };

/**
 * What a key sends to a program.
 * @param ctrl whether Ctrl is held
 * @param application whether the program has asked for the arrows of an application, as editors do
 */
export function keySequence(key: TerminalKey, ctrl: boolean, application: boolean): string {
  if (key === "Escape") return "\x1b";
  if (key === "Tab") return "\t";
  const arrow = ARROWS[key]!;
  return ctrl ? `\x1b[1;5${arrow}` : application ? `\x1bO${arrow}` : `\x1b[${arrow}`;
}

/** A character typed with Ctrl: `c` is 3. What has no such code is as it was typed. */
export function withControl(typed: string): string {
  if (typed === " ") return "\0";
  if (!/^[@-_a-z]$/.test(typed)) return typed;
  return String.fromCharCode(typed.toUpperCase().charCodeAt(0) & 31);
}

/**
 * Keys beside a screen, which share its way to the shell.
 * @param send as if it were typed
 * @returns the keys, and what is done to all that is typed
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
      // What the screen answers to a program by itself is no key.
      if (!ctrl || data.startsWith("\x1b")) return data;
      release();
      return withControl(data);
    },
  };
}
