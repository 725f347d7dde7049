import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from "react";
import {
  commandSuggestions,
  suggestions,
  type OfferedSuggestions,
  type Suggestion,
} from "./suggestions.ts";
import { typedCommand } from "./typed-command.ts";
import { typedMention, type TypedMention } from "./typed-mention.ts";

/** Completes mentions with `@`, and commands with `/`, in a text field. */
export function useMentions({
  field,
  value,
  files,
  offered,
  onChange,
  onPrompt,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  value: string;
  files: readonly string[] | undefined;
  offered: OfferedSuggestions | undefined;
  onChange: (value: string) => void;
  /** Called when a command is chosen; its typed text has been removed. */
  onPrompt: ((item: Suggestion) => void) | undefined;
}) {
  const id = useId();
  const [caret, setCaret] = useState(-1);
  const [chosen, setChosen] = useState(0);
  /** Position of the `@` whose list was closed with Escape. */
  const [closed, setClosed] = useState(-1);
  const next = useRef<{ from: number; to: number }>(undefined);
  useLayoutEffect(() => {
    if (next.current === undefined) return;
    field.current?.setSelectionRange(next.current.from, next.current.to);
    setCaret(next.current.from);
    next.current = undefined;
  }, [field, value]);

  const at = Math.min(caret, value.length);
  const command = onPrompt && at >= 0 ? typedCommand(value, at) : undefined;
  const typed: TypedMention | undefined =
    command === undefined
      ? at < 0
        ? undefined
        : typedMention(value, at)
      : { start: 0, query: command };
  const shown = typed !== undefined && typed.start !== closed;
  const items = !shown
    ? []
    : command === undefined
      ? suggestions(typed.query, files, offered?.resources)
      : commandSuggestions(command, offered?.prompts ?? []);
  const active = Math.min(chosen, items.length - 1);

  const choose = (item: Suggestion) => {
    if (!typed) return;
    const { text, continues } = item;
    const after = value.slice(caret);
    if (item.kind === "prompt" || item.kind === "command") {
      onChange(after.trimStart());
      return onPrompt?.(item);
    }
    const space = continues || /^\s/.test(after) ? "" : " ";
    const end = typed.start + text.length + (continues ? 0 : 1);
    // Selects the placeholder, so that typing replaces it.
    const place = item.kind === "resource" && continues ? /\{[^}]*\}/.exec(text) : null;
    const from = place ? typed.start + place.index : end;
    next.current = { from, to: place ? from + place[0].length : end };
    setClosed(continues ? typed.start : -1);
    onChange(`${value.slice(0, typed.start)}${text}${space}${after}`);
    field.current?.focus();
  };

  return {
    id,
    items,
    /** Whether the typed text is a command rather than a mention. */
    isCommand: command !== undefined,
    /** A note about commands that are not listed. */
    note: shown && command !== undefined && !/\s/.test(command) ? offered?.note : undefined,
    active,
    choose,
    /** Call when the caret has moved, or the field was left (-1). */
    moved(to: number) {
      if (to === caret) return;
      setCaret(to);
      setChosen(0);
      if (to < 0) setClosed(-1);
    },
    /** Handles a pressed key of the field. @returns whether the list used the key */
    keys(event: KeyboardEvent): boolean {
      const item = items[active];
      // A completely typed item is sent rather than chosen again.
      const isComplete = typed && value.slice(typed.start, caret) === item?.text;
      if (event.key === "Enter" && isComplete && command === undefined) return false;
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
