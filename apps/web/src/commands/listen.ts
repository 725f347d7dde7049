import { isComposing } from "../ui/composing.ts";
import { runCommand, useAvailable } from "./available.ts";
import { isApple, isPlain, readPress, sameKeys } from "./keys.ts";
import { COMMAND_IDS, keysOf, partOf, type CommandId, type Keys } from "./list.ts";
import { usePlainKeys } from "./plain-keys.ts";

/** Time that the first key of a sequence waits for the second, in milliseconds. */
const WAIT_MS = 1_500;
/** Elements in which letters are text or select a row by its first letter. */
const TYPED_INTO =
  "input:not([type=checkbox],[type=radio],[type=range],[type=button],[type=file]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=listbox], [role=menu], [role=tree]";
/** Overlays that receive keys before the page. */
const OPEN = ":is([role=dialog], [role=alertdialog], [role=menu])[data-open]";

const byKeys = (): [Keys, CommandId][] => {
  const apple = isApple();
  return COMMAND_IDS.flatMap((id) =>
    keysOf(id).map((keys): [Keys, CommandId] => [sameKeys(keys, apple), id]),
  );
};

/** Runs commands by their keys until the returned function is called. Ignores keys typed or composed in a field. */
export function listenForKeys(): () => void {
  const all = byKeys();
  let first: { keys: Keys; at: number } | undefined;

  const press = (event: KeyboardEvent) => {
    if (isComposing(event) || event.defaultPrevented) return;
    const keys = readPress(event);
    if (keys === undefined) return;
    const waiting = first && event.timeStamp - first.at < WAIT_MS ? first.keys : undefined;
    first = undefined;
    const [target] = event.composedPath();
    const element = target instanceof Element ? target : undefined;
    if (keys === "escape") isFromSelectList(event);
    if (document.querySelector(OPEN)) return;
    if (isPlain(keys)) {
      if (event.repeat || !usePlainKeys.getState().on || element?.closest(TYPED_INTO)) return;
    } else if (element?.closest(".xterm") && belongsToTerminal(keys)) return;

    const { runs } = useAvailable.getState();
    const sequence = waiting === undefined ? keys : `${waiting} ${keys}`;
    const found = all.find(([one, id]) => one === sequence && runs.has(id) && isPart(element, id));
    if (found) {
      take(event);
      if (!event.repeat) runCommand(found[1]);
    } else if (all.some(([one, id]) => one.startsWith(`${keys} `) && runs.has(id))) {
      take(event);
      first = { keys, at: event.timeStamp };
    }
  };

  const capture = { capture: true };
  window.addEventListener("keydown", press, capture);
  window.addEventListener("focusout", isFromSelectList, capture);
  return () => {
    window.removeEventListener("keydown", press, capture);
    window.removeEventListener("focusout", isFromSelectList, capture);
  };
}

/**
 * Whether a command's keys apply to the focused element. True if nothing has the focus, and for commands of any part.
 */
function isPart(element: Element | undefined, id: CommandId): boolean {
  const part = partOf(id);
  if (part === undefined || !element || element === document.body) return true;
  return element.closest(`[data-keys=${part}]`) !== null;
}

/**
 * Hides an event from the page if it comes from the open list of a `select`. The browser closes the list and restores
 * the focus; a dialog around the list would otherwise close as well, and take the focus.
 */
function isFromSelectList(event: Event): void {
  if (event.target instanceof HTMLOptionElement) event.stopPropagation();
}

/**
 * Whether keys pressed in a terminal are left to it: Ctrl with a letter belongs to the shell, and Ctrl-Shift with C, F
 * or V to the terminal (copy, find, paste). On Apple systems only Ctrl with a letter does.
 */
const belongsToTerminal = (keys: Keys): boolean =>
  (isApple() ? /^Ctrl\+[a-z]$/ : /^Mod\+(?:[a-z]|Shift\+[cfv])$/).test(keys);

function take(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
