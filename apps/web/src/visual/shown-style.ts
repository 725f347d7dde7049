import type { Picked, Property } from "./picked.ts";

/**
 * The value shown in the panel's field: the source's value, or else the page's. A width without a rule is `auto`, whatever
 * its computed value.
 * @returns `used`: the computed width, if it differs, for a percentage or a limited width
 */
export function shownStyle(
  property: Property,
  { value, by }: Picked["styles"][Property],
): { shown: string; used?: string } {
  const shown = by?.value || (property === "width" ? "auto" : value);
  if (property === "width" && value !== shown && value !== "auto") return { shown, used: value };
  return { shown: shown === "rgba(0, 0, 0, 0)" ? "transparent" : shown };
}
