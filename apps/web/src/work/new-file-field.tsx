import { useEffect, useRef, useState } from "react";

/** The path of a file to be made. */
export function NewFileField({
  onDone,
  onCancel,
}: {
  onDone: (path: string) => Promise<void>;
  onCancel: () => void;
}) {
  const [path, setPath] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="px-2 pb-1"
      onSubmit={(event) => {
        event.preventDefault();
        const next = path.trim().replace(/^\/+/, "");
        if (next === "") onCancel();
        else void onDone(next);
      }}
    >
      <input
        ref={field}
        aria-label="Path of the new file"
        placeholder="src/name.ts"
        value={path}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setPath(event.target.value)}
        onBlur={onCancel}
        onKeyDown={(event) => event.key === "Escape" && onCancel()}
        className="h-7 w-full rounded border border-edge bg-raised px-2 font-mono text-small"
      />
    </form>
  );
}
