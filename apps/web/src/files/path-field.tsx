import { useEffect, useRef, useState } from "react";
import { isComposing } from "../ui/composing.ts";

/** Where a file is to be: Enter takes it, Escape and leaving give it up. The name is selected, its ending is not. */
export function PathField({
  label,
  start = "",
  onDone,
  onCancel,
}: {
  label: string;
  start?: string;
  onDone: (path: string) => Promise<unknown>;
  onCancel: () => void;
}) {
  const [path, setPath] = useState(start);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const name = start.slice(start.lastIndexOf("/") + 1);
    const dot = name.lastIndexOf(".");
    const from = start.length - name.length;
    field.current?.focus();
    field.current?.setSelectionRange(from, dot > 0 ? from + dot : start.length);
  }, [start]);
  return (
    <form
      className="px-2 pb-1"
      onSubmit={(event) => {
        event.preventDefault();
        const next = path.trim().replace(/^\/+/, "");
        if (next === "" || next === start) onCancel();
        else void onDone(next);
      }}
    >
      <input
        ref={field}
        aria-label={label}
        placeholder="src/name.ts"
        value={path}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setPath(event.target.value)}
        onBlur={onCancel}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape" && !isComposing(event.nativeEvent)) onCancel();
        }}
        className="h-7 w-full rounded border border-edge bg-raised px-2 font-mono text-small"
      />
    </form>
  );
}
