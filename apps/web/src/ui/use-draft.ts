import { useSyncExternalStore } from "react";
import { readSetting, writeSetting } from "./browser-settings.ts";

const keyOf = (name: string) => `treadle.draft.${name}`;
/** What was typed on this page, by name: there also where the browser keeps nothing. */
const typed = new Map<string, string>();
const listeners = new Set<() => void>();

const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** A draft as it is by now. */
export const draftText = (name: string): string =>
  typed.get(name) ?? readSetting(keyOf(name)) ?? "";

export function changeDraft(name: string, text: string): void {
  typed.set(name, text);
  writeSetting(keyOf(name), text);
  for (const listener of listeners) listener();
}

/**
 * A text that was not sent yet, kept by this browser under `name` so that a closed tab loses nothing. All fields of one name
 * show one text: a field that takes another's place, as on a phone that is turned, has what was typed last.
 */
export function useDraft(name: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(listen, () => draftText(name));
  return [text, (next) => changeDraft(name, next)];
}
