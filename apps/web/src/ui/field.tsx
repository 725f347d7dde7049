import { useId, type ComponentProps } from "react";

/** A text field with its label above and a description below. */
export function Field({
  label,
  note,
  onText,
  ...rest
}: {
  label: string;
  note?: string;
  onText: (text: string) => void;
} & ComponentProps<"input">) {
  const id = useId();
  return (
    <div className="min-w-0 flex-1">
      <label htmlFor={id} className="text-small text-quiet">
        {label}
      </label>
      <input
        id={id}
        onChange={(event) => onText(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="mt-0.5 h-8 w-full rounded border border-edge bg-paper px-2 pointer-coarse:h-11"
        {...rest}
      />
      {note && <p className="mt-0.5 text-small text-quiet">{note}</p>}
    </div>
  );
}
