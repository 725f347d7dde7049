import { useEffect, useId, useRef, useState } from "react";
import { isComposing } from "../ui/composing.ts";
import { noticeError } from "../ui/notice.ts";
import { useFocusBack } from "../ui/use-focus-back.ts";

/**
 * A field for a file's path. Enter accepts it; Escape and leaving the field cancel. The name is selected without its
 * extension. An error is shown below, and the typed text stays.
 */
export function PathField({
  label,
  start = "",
  onTake,
  onDone,
  onCancel,
}: {
  label: string;
  start?: string;
  /** Resolves with an error message, or undefined on success. */
  onTake: (path: string) => Promise<string | undefined>;
  onDone: () => void;
  onCancel: () => void;
}) {
  const id = useId();
  const [path, setPath] = useState(start);
  const [reason, setReason] = useState<string>();
  const taking = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useFocusBack();
  useEffect(() => {
    const name = start.slice(start.lastIndexOf("/") + 1);
    const dot = name.lastIndexOf(".");
    const from = start.length - name.length;
    field.current?.focus();
    field.current?.setSelectionRange(from, dot > 0 ? from + dot : start.length);
  }, [start]);
  const take = async (next: string) => {
    if (taking.current) return;
    taking.current = true;
    const failed = await onTake(next);
    taking.current = false;
    if (failed === undefined) onDone();
    // If the field is gone by now, the error is shown elsewhere.
    else if (field.current) setReason(failed);
    else noticeError(failed);
  };
  return (
    <form
      className="px-2 pb-1"
      onSubmit={(event) => {
        event.preventDefault();
        const next = path.trim().replace(/^\/+/, "");
        if (next === "" || next === start) onCancel();
        else void take(next);
      }}
    >
      <input
        ref={field}
        aria-label={label}
        aria-invalid={reason !== undefined}
        aria-describedby={id}
        placeholder="src/name.ts"
        value={path}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setPath(event.target.value);
          setReason(undefined);
        }}
        onBlur={onCancel}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape" && !isComposing(event.nativeEvent)) onCancel();
        }}
        className="h-7 w-full rounded border border-edge bg-raised px-2 font-mono text-small aria-invalid:border-failed"
      />
      <p
        id={id}
        role="alert"
        className="rounded border border-failed bg-raised px-2 py-0.5 font-sans text-small text-failed [overflow-wrap:anywhere] empty:hidden"
      >
        {reason}
      </p>
    </form>
  );
}
