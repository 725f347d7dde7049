import { useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { MAX_MESSAGE_CHARS } from "../api/projects.ts";
import { MentionList } from "./mention-list.tsx";
import type { OfferedSuggestions, Suggestion } from "./suggestions.ts";
import { useMentions } from "./use-mentions.ts";
import { formatNumber } from "../ui/format.ts";
import { isComposing } from "../ui/composing.ts";
import { words } from "../words/words.ts";

export interface PromptFieldProps {
  /** Ref to the field, for code that inserts text. */
  field?: RefObject<HTMLTextAreaElement | null>;
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  onSend: () => void;
  /** Number of rows when empty. */
  rows: number;
  autoFocus?: boolean;
  problem?: string | undefined;
  /** A note to read before sending. */
  note?: string | undefined;
  /** Files that can be mentioned with `@`; undefined if there is no project yet and only links can be. */
  files?: readonly string[] | undefined;
  /** Prompts and resources of tool servers. */
  offered?: OfferedSuggestions | undefined;
  /** Called when a prompt of a tool server is chosen. Undefined makes `/` an ordinary character. */
  onPrompt?: (item: Suggestion) => void;
  /** Where the list of suggestions opens. */
  side?: "above" | "below";
  /** Called with pasted files. */
  onFiles?: (files: File[]) => void;
  /** Shown above the text. */
  above?: ReactNode;
  /** Controls below the text. */
  children: ReactNode;
}

/** A text field of any length. Enter sends, Shift-Enter breaks the line, and Enter in an input method never sends. */
export function PromptField(props: PromptFieldProps) {
  const { label, placeholder, value, onChange, onSend, rows, autoFocus, problem, note, children } =
    props;
  const { files, side = "above", onFiles, above } = props;
  const own = useRef<HTMLTextAreaElement>(null);
  const field = props.field ?? own;
  const { offered, onPrompt } = props;
  const mentions = useMentions({ field, value, files, offered, onChange, onPrompt });
  const open = mentions.items.length > 0;
  useEffect(() => {
    // Does not take the focus from elsewhere, such as a dialog above a layout that is being replaced.
    if (autoFocus && document.activeElement === document.body) field.current?.focus();
  }, [autoFocus, field]);
  const tooLong = value.length > MAX_MESSAGE_CHARS;

  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event.nativeEvent)) return;
    if (mentions.keys(event)) return;
    if (event.key !== "Enter" || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!tooLong) onSend();
  };

  return (
    <div
      className="relative rounded border border-edge bg-raised focus-within:border-accent focus-within:outline focus-within:outline-accent"
      onClick={(event) => {
        if (event.target === event.currentTarget) field.current?.focus();
      }}
    >
      {(open || mentions.note !== undefined) && (
        <MentionList
          id={mentions.id}
          items={mentions.items}
          active={mentions.active}
          side={side}
          note={mentions.note}
          onChoose={mentions.choose}
        />
      )}
      {above}
      <textarea
        ref={field}
        dir="auto"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...(open && {
          "aria-controls": mentions.id,
          "aria-activedescendant": `${mentions.id}-${mentions.active}`,
        })}
        onSelect={(event) => mentions.moved(event.currentTarget.selectionStart)}
        onBlur={() => mentions.moved(-1)}
        onPaste={(event) => {
          const { clipboardData } = event;
          // Text copied together with a picture of it is pasted as text.
          if (!onFiles || clipboardData.getData("text/plain") !== "") return;
          if (clipboardData.files.length === 0) return;
          event.preventDefault();
          onFiles([...clipboardData.files]);
        }}
        aria-label={label}
        placeholder={placeholder}
        value={value}
        rows={rows}
        onChange={(event) => {
          onChange(event.target.value);
          mentions.moved(event.target.selectionStart);
        }}
        onKeyDown={keys}
        style={{ minHeight: `calc(${rows} * 1.45em + 16px)` }}
        className="block max-h-[40vh] w-full resize-none overflow-y-auto bg-transparent px-3 pt-3 pb-1 text-large outline-none field-sizing-content"
      />
      <p role="status" className="sr-only">
        {open &&
          (mentions.isCommand
            ? words.prompt.commandsOffered({ amount: mentions.items.length })
            : words.prompt.thingsOffered({ amount: mentions.items.length }))}
      </p>
      {(tooLong || problem) && (
        <p role="alert" className="px-3 pb-1 text-small text-failed">
          {tooLong
            ? words.prompt.tooLong({
                length: formatNumber(value.length),
                most: formatNumber(MAX_MESSAGE_CHARS),
              })
            : problem}
        </p>
      )}
      {note !== undefined && (
        <p role="status" className="px-3 pb-1 text-small text-unsure">
          {note}
        </p>
      )}
      {/* One row at every width; its contents adapt to the width of the row. */}
      <div className="@container">
        <div className="flex items-center gap-1 px-2 pb-2 @min-[480px]:gap-2">{children}</div>
      </div>
    </div>
  );
}
