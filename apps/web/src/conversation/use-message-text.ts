import { useEffect, useEffectEvent, type RefObject } from "react";
import { useTyped } from "../project/typed-store.ts";
import { draftText, useDraft } from "../ui/use-draft.ts";

/** What is typed into the composer of a project: a draft that outlives the page, and what others type for the person. */
export function useMessageText(project: string, field: RefObject<HTMLTextAreaElement | null>) {
  const [text, change] = useDraft(project);
  const takeUp = useEffectEvent((said: string) => {
    change(text.trim() === "" ? said : `${text.trimEnd()}\n\n${said}`);
    field.current?.focus();
  });
  useEffect(() => useTyped.subscribe(({ words: said }) => takeUp(said)), []);
  return {
    text,
    change,
    /** What was spoken goes behind what is there. */
    hear: (said: string) => change([draftText(project).trimEnd(), said].filter(Boolean).join(" ")),
    /** Empties the field of what was sent; what was typed while it was on its way stays. */
    sent(said: string) {
      if (draftText(project) === said) change("");
    },
  };
}
