import type { Cell } from "@treadle/protocol";
import { useRef, useState } from "react";
import { isComposing } from "../ui/composing.ts";
import { words } from "../words/words.ts";
import { CellText, isEditable } from "./cell.tsx";

/** A value; clicked, it is typed over. Enter and leaving it write, Escape does not. */
export function EditedCell({
  value,
  name,
  onChange,
}: {
  value: Cell;
  /** Of its column. */
  name: string;
  /** Resolves with whether it was written. Absent: it cannot be. */
  onChange: ((to: string) => Promise<boolean>) | undefined;
}) {
  const [text, setText] = useState<string>();
  const left = useRef(false);
  /** It was left by a key, and not for another place: the value has the focus again. */
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
          left.current = false;
          setText(value === null ? "" : String(value));
        }}
      >
        <CellText cell={value} />
      </button>
    );
  const leave = () => {
    // It is left once by Enter, and once more as the field goes.
    if (left.current) return;
    left.current = true;
    setText(undefined);
    if (text !== String(value ?? "")) void onChange(text);
  };
  return (
    <input
      aria-label={name}
      // It stands where the button was that was clicked.
      ref={(field) => field?.focus()}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        // Escape would close the dialog as well.
        if (event.key === "Escape") event.stopPropagation();
        if (isComposing(event.nativeEvent)) return;
        if (event.key !== "Escape" && event.key !== "Enter") return;
        // Enter would press the button that has the focus then.
        event.preventDefault();
        byKey.current = true;
        if (event.key === "Enter") return leave();
        left.current = true;
        setText(undefined);
      }}
      className="w-full min-w-24 rounded border border-edge bg-paper px-1"
    />
  );
}
