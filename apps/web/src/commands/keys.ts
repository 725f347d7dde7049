import type { Keys } from "./list.ts";

/** What is asked of a key's event. */
export type Press = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"
>;

/** Keys by the place that they have on a keyboard, where what they write is of another alphabet, or is dead. */
const PLACES: Record<string, string> = {
  Backquote: "`",
  Comma: ",",
  Period: ".",
  Slash: "/",
};

export const isApple = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);

/** What a key writes in Latin letters, lower case; undefined for one that is only held down. */
function written({ key, code }: Press): string | undefined {
  if (/^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|OS)$/.test(key)) return undefined;
  if (/^[!-~]$/.test(key)) return key.toLowerCase();
  if (key.length > 1 && key !== "Dead") return key.toLowerCase();
  return PLACES[code] ?? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key.toLowerCase();
}

/**
 * The press as a command's keys are written; undefined while only Shift, Ctrl and the like are down. Ctrl with Alt is how
 * Windows spells AltGr, which writes characters: it is no press of ours.
 */
export function readPress(press: Press, apple = isApple()): Keys | undefined {
  const key = written(press);
  if (key === undefined || press.altKey) return undefined;
  const held = [
    ...(apple && press.metaKey ? ["Mod"] : []),
    ...(press.ctrlKey ? [apple ? "Ctrl" : "Mod"] : []),
    ...(!apple && press.metaKey ? ["Meta"] : []),
    // Of a sign Shift is a part already: "?" is written with it on some keyboards, and without on others.
    ...(press.shiftKey && (/^[a-z]$/.test(key) || key.length > 1) ? ["Shift"] : []),
  ];
  return [...held, key].join("+");
}

/** Keys that write something by themselves: they are a command's only where nobody is typing. */
export const isPlain = (keys: Keys): boolean => !/^(?:Mod|Ctrl|Meta)\+/.test(keys);

/** Keys as they are asked for: `Ctrl` and `Mod` are the same key where there is no Cmd. */
export const sameKeys = (keys: Keys, apple = isApple()): Keys =>
  apple ? keys : keys.replace(/^Ctrl\+/, "Mod+");

const APPLE_SIGNS: Record<string, string> = { Mod: "⌘", Ctrl: "⌃", Shift: "⇧" };

/** Each of the presses that keys are made of, as it is printed on a keyboard: `["Ctrl+K"]`, `["G", "H"]`, `["⇧⌘P"]`. */
export function shownKeys(keys: Keys, apple = isApple()): string[] {
  return keys.split(" ").map((press) => {
    const parts = press.split("+").map((part) => (part.length === 1 ? part.toUpperCase() : part));
    if (!apple) return parts.join("+").replace("Mod", "Ctrl");
    const key = parts.pop() ?? "";
    // Apple's own order has Shift before Cmd.
    return [...parts.toReversed().map((part) => APPLE_SIGNS[part] ?? part), key].join("");
  });
}

/** For `aria-keyshortcuts`, which has no way to say one key after another. */
export function saidKeys(all: readonly Keys[], apple = isApple()): string | undefined {
  const single = all.filter((keys) => !keys.includes(" "));
  const shortcuts = single.map((keys) =>
    keys
      .replace("Mod", apple ? "Meta" : "Control")
      .replace("Ctrl", "Control")
      .replace(/[a-z]$/, (letter) => letter.toUpperCase()),
  );
  return shortcuts.length === 0 ? undefined : shortcuts.join(" ");
}
