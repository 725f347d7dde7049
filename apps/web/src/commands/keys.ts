import type { Keys } from "./list.ts";

/** The parts of a keyboard event that are used. */
export type Press = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey"
>;

/** Physical key codes, for keys that produce another alphabet or are dead. */
const PLACES: Record<string, string> = {
  Backquote: "`",
  Comma: ",",
  Period: ".",
  Slash: "/",
};

export const isApple = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);

/** The Latin character of a key, in lower case; undefined for a modifier key. */
function latinKey({ key, code }: Press): string | undefined {
  if (/^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|OS)$/.test(key)) return undefined;
  if (/^[!-~]$/.test(key)) return key.toLowerCase();
  if (key.length > 1 && key !== "Dead") return key.toLowerCase();
  return PLACES[code] ?? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key.toLowerCase();
}

/**
 * The pressed keys in the notation of commands; undefined while only modifiers are pressed, or if Alt is: Ctrl with Alt
 * is Windows' AltGr, which types characters.
 */
export function readPress(press: Press, apple = isApple()): Keys | undefined {
  const key = latinKey(press);
  if (key === undefined || press.altKey) return undefined;
  const held = [
    ...(apple && press.metaKey ? ["Mod"] : []),
    ...(press.ctrlKey ? [apple ? "Ctrl" : "Mod"] : []),
    ...(!apple && press.metaKey ? ["Meta"] : []),
    // For symbols, Shift is ignored: "?" needs it on some keyboards only.
    ...(press.shiftKey && (/^[a-z]$/.test(key) || key.length > 1) ? ["Shift"] : []),
  ];
  return [...held, key].join("+");
}

/** Keys that type a character; they run a command only if nobody is typing. */
export const isPlain = (keys: Keys): boolean => !/^(?:Mod|Ctrl|Meta)\+/.test(keys);

/** Normalises keys: `Ctrl` and `Mod` are the same without a Cmd key. */
export const sameKeys = (keys: Keys, apple = isApple()): Keys =>
  apple ? keys : keys.replace(/^Ctrl\+/, "Mod+");

const APPLE_SIGNS: Record<string, string> = { Mod: "⌘", Ctrl: "⌃", Shift: "⇧" };

/** The keys as printed on a keyboard, one item per press: `["Ctrl+K"]`, `["G", "H"]`, `["⇧⌘P"]`. */
export function shownKeys(keys: Keys, apple = isApple()): string[] {
  return keys.split(" ").map((press) => {
    const parts = press.split("+").map((part) => (part.length === 1 ? part.toUpperCase() : part));
    if (!apple) return parts.join("+").replace("Mod", "Ctrl");
    const key = parts.pop() ?? "";
    // Apple's order puts Shift before Cmd.
    return [...parts.toReversed().map((part) => APPLE_SIGNS[part] ?? part), key].join("");
  });
}

/** Formats keys for `aria-keyshortcuts`, which cannot describe sequences; undefined if there are only sequences. */
export function ariaKeys(all: readonly Keys[], apple = isApple()): string | undefined {
  const single = all.filter((keys) => !keys.includes(" "));
  const shortcuts = single.map((keys) =>
    keys
      .replace("Mod", apple ? "Meta" : "Control")
      .replace("Ctrl", "Control")
      .replace(/[a-z]$/, (letter) => letter.toUpperCase()),
  );
  return shortcuts.length === 0 ? undefined : shortcuts.join(" ");
}
