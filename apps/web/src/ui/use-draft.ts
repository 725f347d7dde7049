import { create } from "zustand";
import { readSetting, writeSetting } from "./browser-settings.ts";

/** Text typed on this page, by name; used even if the browser stores nothing. */
const useTypedDrafts = create<Record<string, string>>(() => ({}));
const keyOf = (name: string) => `treadle.draft.${name}`;

/** The current text of a draft; "" if there is none. */
export const draftText = (name: string): string =>
  useTypedDrafts.getState()[name] ?? readSetting(keyOf(name)) ?? "";

export function changeDraft(name: string, text: string): void {
  writeSetting(keyOf(name), text);
  useTypedDrafts.setState({ [name]: text });
}

/**
 * Unsent text, stored in the browser under `name` so that closing a tab loses nothing. All fields of one name share the
 * text, so a field that replaces another, as on a rotated phone, has the latest text.
 */
export function useDraft(name: string): [string, (text: string) => void] {
  const text = useTypedDrafts(() => draftText(name));
  return [text, (next) => changeDraft(name, next)];
}
