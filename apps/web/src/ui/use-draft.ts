import { create } from "zustand";
import { readSetting, writeSetting } from "./browser-settings.ts";

/** What was typed on this page, by name: there also where the browser keeps nothing. */
const useTypedDrafts = create<Record<string, string>>(() => ({}));
const keyOf = (name: string) => `treadle.draft.${name}`;

/** A draft as it is by now. */
export const draftText = (name: string): string =>
  useTypedDrafts.getState()[name] ?? readSetting(keyOf(name)) ?? "";

export function changeDraft(name: string, text: string): void {
  writeSetting(keyOf(name), text);
  useTypedDrafts.setState({ [name]: text });
}

/**
 * A text that was not sent yet, kept by this browser under `name` so that a closed tab loses nothing. All fields of one name
 * show one text: a field that takes another's place, as on a phone that is turned, has what was typed last.
 */
export function useDraft(name: string): [string, (text: string) => void] {
  const text = useTypedDrafts(() => draftText(name));
  return [text, (next) => changeDraft(name, next)];
}
