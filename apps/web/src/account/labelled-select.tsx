import type { ComponentProps } from "react";
import { Select } from "../ui/select.tsx";

const BOX =
  "h-8 max-w-full rounded border border-edge bg-paper px-2 text-base text-ink pointer-coarse:h-11";

/** A select with its label above it, or, in a row, with a label for screen readers only. */
export function LabelledSelect<Value extends string | number>({
  label,
  isInRow = false,
  ...rest
}: { label: string; isInRow?: boolean } & Omit<
  ComponentProps<typeof Select<Value>>,
  "className" | "aria-label"
>) {
  if (isInRow) return <Select aria-label={label} className={BOX} {...rest} />;
  return (
    <label className="min-w-0 text-small text-quiet">
      {label}
      <Select className={`mt-0.5 block ${BOX}`} {...rest} />
    </label>
  );
}
