import { useEffect, useRef, useState } from "react";
import { isComposing } from "./composing.ts";
import { words } from "../words/words.ts";

/** A name in place: Enter and leaving keep it, Escape gives it up; an empty or unchanged name changes nothing. */
export function RenameField({
  name,
  label = words.ui.projectName,
  onDone,
  onCancel,
}: {
  name: string;
  /** What the name is of; absent: of a project. */
  label?: string;
  onDone: (name: string) => Promise<void>;
  onCancel: () => void;
}) {
  const [text, setText] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  const settled = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const settle = (keep: boolean) => {
    if (settled.current) return;
    settled.current = true;
    const next = text.trim();
    if (keep && next !== "" && next !== name) void onDone(next);
    else onCancel();
  };
  return (
    <input
      ref={field}
      dir="auto"
      aria-label={label}
      value={text}
      maxLength={120}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => settle(true)}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === "Enter") settle(true);
        if (event.key === "Escape") settle(false);
      }}
      className="h-7 w-full max-w-80 rounded border border-edge bg-raised px-2 font-medium"
    />
  );
}
