import { useState } from "react";
import { readSetting, writeSetting } from "./browser-settings.ts";

/** A text that was not sent yet, kept by this browser under `name` so that a closed tab loses nothing. */
export function useDraft(name: string): [string, (text: string) => void] {
  const key = `treadle.draft.${name}`;
  const [text, setText] = useState(() => readSetting(key) ?? "");
  return [
    text,
    (next) => {
      setText(next);
      writeSetting(key, next);
    },
  ];
}
