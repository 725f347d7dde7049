import { useState, type ReactNode } from "react";
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from "../ui/icons.ts";
import { words } from "../words/words.ts";

/** Keys that a phone's keyboard lacks. `ctrl` applies to the next character. */
export interface PressedKeys {
  /** Sends a key's sequence to the shell. */
  press(key: TerminalKey): void;
  /** Sets whether the next character is typed with Ctrl. */
  hold(ctrl: boolean): void;
  /** Called when that character has been typed. */
  onReleased(listener: () => void): void;
}

export type TerminalKey = "Escape" | "Tab" | "Up" | "Down" | "Left" | "Right";

const ARROWS = { Left: ArrowLeft, Up: ArrowUp, Down: ArrowDown, Right: ArrowRight };

/** A row of keys that terminal programs need, shown on touch screens. */
export function TerminalKeys({ keys }: { keys: () => PressedKeys | undefined }) {
  const [ctrl, setCtrl] = useState(false);
  const key = (name: string, label: ReactNode, act: () => void, pressed?: boolean) => (
    <button
      key={name}
      type="button"
      aria-label={name}
      aria-pressed={pressed}
      // Keeps the focus in the terminal, and with it the phone's keyboard open.
      onPointerDown={(event) => event.preventDefault()}
      onClick={act}
      className={`inline-flex h-11 flex-1 items-center justify-center text-small -outline-offset-2 ${
        pressed ? "bg-accent text-on-accent" : "text-ink hover:bg-hover"
      }`}
    >
      {label}
    </button>
  );
  return (
    <div
      role="toolbar"
      aria-label={words.terminal.keys}
      className="hidden shrink-0 border-t border-line pointer-coarse:flex"
    >
      {key("Esc", "Esc", () => keys()?.press("Escape"))}
      {key(
        "Ctrl",
        "Ctrl",
        () => {
          setCtrl(!ctrl);
          keys()?.hold(!ctrl);
          keys()?.onReleased(() => setCtrl(false));
        },
        ctrl,
      )}
      {key("Tab", "Tab", () => keys()?.press("Tab"))}
      {(["Left", "Up", "Down", "Right"] as const).map((name) => {
        const Arrow = ARROWS[name];
        return key(words.terminal.arrows[name], <Arrow size={16} aria-hidden="true" />, () =>
          keys()?.press(name),
        );
      })}
    </div>
  );
}
