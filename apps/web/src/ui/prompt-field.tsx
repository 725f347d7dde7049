import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { MESSAGE_LIMIT } from "../api/projects.ts";

export interface PromptFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  onSend: () => void;
  /** Rows when it is empty. */
  rows: number;
  autoFocus?: boolean;
  problem?: string | undefined;
  /** Controls under the text. */
  children: ReactNode;
}

/** Text of any length. Enter sends, Shift-Enter breaks the line, and composing a character never sends. */
export function PromptField(props: PromptFieldProps) {
  const { label, placeholder, value, onChange, onSend, rows, autoFocus, problem, children } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  const tooLong = value.length > MESSAGE_LIMIT;

  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // 229: some input methods end a composition with an Enter that no longer says it is composing.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key !== "Enter" || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!tooLong) onSend();
  };

  return (
    <div
      className="rounded border border-edge bg-raised focus-within:border-accent focus-within:outline focus-within:outline-accent"
      onClick={(event) => {
        if (event.target === event.currentTarget) field.current?.focus();
      }}
    >
      <textarea
        ref={field}
        aria-label={label}
        placeholder={placeholder}
        value={value}
        rows={rows}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={keys}
        style={{ minHeight: `calc(${rows} * 1.45em + 16px)` }}
        className="block max-h-[40vh] w-full resize-none overflow-y-auto bg-transparent px-3 pt-3 pb-1 text-large outline-none field-sizing-content"
      />
      {(tooLong || problem) && (
        <p role="alert" className="px-3 pb-1 text-small text-failed">
          {tooLong
            ? `This is ${value.length.toLocaleString("en")} characters; ${MESSAGE_LIMIT.toLocaleString("en")} is the most that can be sent. Nothing was cut.`
            : problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2 px-2 pb-2">{children}</div>
    </div>
  );
}
