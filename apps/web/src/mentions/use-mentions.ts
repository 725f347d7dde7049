import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from "react";
import { suggestions, type Suggestion } from "./suggestions.ts";
import { typedMention } from "./typed-mention.ts";

/** Completion of what is pointed at with `@`, for the field that it is typed in. */
export function useMentions({
  field,
  value,
  files,
  onChange,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  value: string;
  files: readonly string[] | undefined;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const [caret, setCaret] = useState(-1);
  const [chosen, setChosen] = useState(0);
  /** Where the `@` stands whose list was closed with Escape. */
  const [closed, setClosed] = useState(-1);
  const next = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (next.current === undefined) return;
    field.current?.setSelectionRange(next.current, next.current);
    setCaret(next.current);
    next.current = undefined;
  }, [field, value]);

  const typed = caret < 0 ? undefined : typedMention(value, Math.min(caret, value.length));
  const items = typed && typed.start !== closed ? suggestions(typed.query, files) : [];
  const active = Math.min(chosen, items.length - 1);

  const choose = ({ text, goesOn }: Suggestion) => {
    if (!typed) return;
    const after = value.slice(caret);
    const space = goesOn || /^\s/.test(after) ? "" : " ";
    next.current = typed.start + text.length + (goesOn ? 0 : 1);
    setClosed(goesOn ? typed.start : -1);
    onChange(`${value.slice(0, typed.start)}${text}${space}${after}`);
    field.current?.focus();
  };

  return {
    id,
    items,
    active,
    choose,
    /** The caret moved, or the field was left (-1). */
    moved(to: number) {
      if (to === caret) return;
      setCaret(to);
      setChosen(0);
      if (to < 0) setClosed(-1);
    },
    /** @returns whether the key was for the list */
    keys(event: KeyboardEvent): boolean {
      const item = items[active];
      // What is written out is sent, not taken once more.
      const whole = typed && value.slice(typed.start, caret) === item?.text;
      if (event.key === "Enter" && whole) return false;
      if (!item || event.altKey || event.ctrlKey || event.metaKey) return false;
      if (event.key === "ArrowDown") setChosen((active + 1) % items.length);
      else if (event.key === "ArrowUp") setChosen((active + items.length - 1) % items.length);
      else if (event.key === "Escape") setClosed(typed?.start ?? -1);
      else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") choose(item);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
