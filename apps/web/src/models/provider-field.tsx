import { useId, type ReactNode } from "react";

/** A field of a provider's form with its label, a note, and additional content below. */
export function Field({
  label,
  note,
  value,
  onChange,
  children,
  ...rest
}: {
  label: string;
  note?: string;
  value: string;
  type?: string;
  placeholder?: string;
  autoFocus?: boolean;
  onChange: (value: string) => void;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="text-small text-quiet">
        {label}
      </label>
      <input
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        className="mt-0.5 h-8 w-full rounded border border-edge bg-paper px-2 pointer-coarse:h-11"
        {...rest}
      />
      {note && <p className="mt-0.5 text-small text-quiet">{note}</p>}
      {children}
    </div>
  );
}
