import { useEffect, useEffectEvent, type RefObject } from "react";
import { useTyped } from "../project/typed-store.ts";
import { draftText, useDraft } from "../ui/use-draft.ts";

/** What is typed into the composer of a project: a draft that outlives the page, and what others type for the person. */
export function useMessageText(project: string, field: RefObject<HTMLTextAreaElement | null>) {
  const [text, change] = useDraft(project);
  const takeUp = useEffectEvent((addition: string) => {
    change(text.trim() === "" ? addition : `${text.trimEnd()}\n\n${addition}`);
    field.current?.focus();
  });
  useEffect(() => useTyped.subscribe(({ words: addition }) => takeUp(addition)), []);
  return {
    text,
    change,
    /** What was spoken goes behind what is there. */
    hear: (heard: string) =>
      change([draftText(project).trimEnd(), heard].filter(Boolean).join(" ")),
    /** Empties the field of what was sent; what was typed while it was on its way stays. */
    sent(sentText: string) {
      if (draftText(project) === sentText) change("");
    },
  };
}
