import type { Cell } from "@treadle/protocol";
import { useRef, useState } from "react";
import { isComposing } from "../ui/composing.ts";
import { words } from "../words/words.ts";
import { CellText, isEditable } from "./cell.tsx";

/** A value that becomes a field when clicked. Enter and leaving it save, Escape cancels. */
export function EditedCell({
  value,
  name,
  onChange,
}: {
  value: Cell;
  /** Name of its column. */
  name: string;
  /** Resolves with whether it was saved. Undefined if it cannot be edited. */
  onChange: ((to: string) => Promise<boolean>) | undefined;
}) {
  const [text, setText] = useState<string>();
  const wasLeft = useRef(false);
  /** Whether the field was left by Enter or Escape, so that the value gets the focus back. */
  const byKey = useRef(false);
  if (!onChange || !isEditable(value)) return <CellText cell={value} />;
  if (text === undefined)
    return (
      <button
        type="button"
        ref={(button) => {
          if (byKey.current) button?.focus({ preventScroll: true });
          byKey.current = false;
        }}
        title={words.databases.edit({ column: name })}
        className="block min-h-5 w-full cursor-text text-left pointer-coarse:min-h-11"
        onClick={() => {
          wasLeft.current = false;
          setText(value === null ? "" : String(value));
        }}
      >
        <CellText cell={value} />
      </button>
    );
  const leave = () => {
    // Enter leaves the field, and removing the field leaves it again.
    if (wasLeft.current) return;
    wasLeft.current = true;
    setText(undefined);
    if (text !== String(value ?? "")) void onChange(text);
  };
  return (
    <input
      aria-label={name}
      // The field replaces the clicked button.
      ref={(field) => field?.focus()}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        // Escape would close the dialog as well.
        if (event.key === "Escape") event.stopPropagation();
        if (isComposing(event.nativeEvent)) return;
        if (event.key !== "Escape" && event.key !== "Enter") return;
        // Enter would press the button that then has the focus.
        event.preventDefault();
        byKey.current = true;
        if (event.key === "Enter") return leave();
        wasLeft.current = true;
        setText(undefined);
      }}
      className="w-full min-w-24 rounded border border-edge bg-paper px-1"
    />
  );
}
