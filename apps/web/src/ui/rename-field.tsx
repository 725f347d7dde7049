import { useEffect, useRef, useState } from "react";
import { isComposing } from "./composing.ts";
import { words } from "../words/words.ts";

/**
 * A name in place: Enter and leaving keep it, Escape gives it up; an empty or unchanged name changes nothing. After a key what
 * stands in its place has the focus.
 */
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
  const byKey = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    // What is nearest around it: some of that goes with it.
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
      maxLength={120}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => settle(true)}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // It is not pressed once more where the focus goes.
        event.preventDefault();
        byKey.current = true;
        settle(event.key === "Enter");
      }}
      className="h-7 w-full max-w-80 rounded border border-edge bg-raised px-2 font-medium"
    />
  );
}
