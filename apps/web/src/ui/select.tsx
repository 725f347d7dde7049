import type { ComponentProps } from "react";

/**
 * Selects one of several values from a list. In browsers with customisable selects (`base-select`), the value is drawn by
 * its own button; otherwise a long text would be cut within a letter and without an ellipsis.
 */
export function Select<Value extends string | number>({
  value,
  options,
  onChoose,
  ...rest
}: {
  value: Value;
  options: readonly { value: Value; name: string; lang?: string }[];
  onChoose: (value: Value) => void;
} & Omit<ComponentProps<"select">, "value" | "onChange" | "children" | "multiple">) {
  const chosen = options.find((one) => one.value === value) ?? options[0];
  return (
    <select
      value={value}
      onChange={({ target }) => {
        const next = options[target.selectedIndex];
        if (next) onChoose(next.value);
      }}
      {...rest}
    >
      <button type="button" tabIndex={-1} aria-hidden="true" className="contents">
        <span lang={chosen?.lang} className="block truncate">
          {chosen?.name}
        </span>
      </button>
      {options.map((one) => (
        <option key={one.value} value={one.value} lang={one.lang}>
          {one.name}
        </option>
      ))}
    </select>
  );
}
