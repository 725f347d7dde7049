import { useEffect, useEffectEvent, type RefObject } from "react";
import { useInsertedText } from "../project/inserted-text-store.ts";
import { draftText, useDraft } from "../ui/use-draft.ts";

/** The text in a project's composer: a draft that survives a reload, and text inserted by other parts of the page. */
export function useMessageText(project: string, field: RefObject<HTMLTextAreaElement | null>) {
  const [text, change] = useDraft(project);
  const takeUp = useEffectEvent((addition: string) => {
    change(text.trim() === "" ? addition : `${text.trimEnd()}\n\n${addition}`);
    field.current?.focus();
  });
  useEffect(() => useInsertedText.subscribe(({ words: addition }) => takeUp(addition)), []);
  return {
    text,
    change,
    /** Appends dictated text. */
    appendSpeech: (speech: string) =>
      change([draftText(project).trimEnd(), speech].filter(Boolean).join(" ")),
    /** Removes the sent text from the field; text typed while it was being sent stays. */
    sent(sentText: string) {
      if (draftText(project) === sentText) change("");
    },
  };
}
