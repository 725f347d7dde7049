import { useEffect, useRef, useState } from "react";
import { isComposing } from "./composing.ts";
import { words } from "../words/words.ts";

/**
 * Edits a name in place: Enter and leaving the field save it, Escape cancels; an empty or unchanged name is ignored. After
 * a key, the focus returns to the element in its place.
 */
export function RenameField({
  name,
  label = words.ui.projectName,
  maxLength = 120,
  onDone,
  onCancel,
}: {
  name: string;
  /** The label of the field; undefined labels it as a project's name. */
  label?: string;
  /** In characters. */
  maxLength?: number;
  onDone: (name: string) => Promise<void>;
  onCancel: () => void;
}) {
  const [text, setText] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  const settled = useRef(false);
  const byKey = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    // The nearest ancestors, some of which are removed together with the field.
    const around: HTMLElement[] = [];
    for (let one = field.current?.parentElement; one; one = one.parentElement) around.push(one);
    return () => {
      const stays = around.find((one) => one.isConnected && one.querySelector("button"));
      const menu = stays?.querySelector<HTMLElement>("button[aria-haspopup]");
      if (byKey.current) (menu ?? stays?.querySelector("button"))?.focus({ preventScroll: true });
    };
  }, []);
  const settle = (shouldSave: boolean) => {
    if (settled.current) return;
    settled.current = true;
    const next = text.trim();
    if (shouldSave && next !== "" && next !== name) void onDone(next);
    else onCancel();
  };
  return (
    <input
      ref={field}
      dir="auto"
      aria-label={label}
      value={text}
      maxLength={maxLength}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => settle(true)}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // Prevents the key from also activating the element that receives the focus.
        event.preventDefault();
        byKey.current = true;
        settle(event.key === "Enter");
      }}
      className="h-7 w-full max-w-80 rounded border border-edge bg-raised px-2 font-medium"
    />
  );
}
