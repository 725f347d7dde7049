import type { Picked, Property } from "./picked.ts";

/**
 * What a field of the panel shows: what the source says, else what the page has of itself. A width that nobody said is
 * `auto`, whatever it came to.
 * @returns `used`: what a width came to, where that is something else: a share, or one that something else holds to its bounds
 */
export function shownStyle(
  property: Property,
  { value, by }: Picked["styles"][Property],
): { shown: string; used?: string } {
  const shown = by?.value || (property === "width" ? "auto" : value);
  if (property === "width" && value !== shown && value !== "auto") return { shown, used: value };
  return { shown: shown === "rgba(0, 0, 0, 0)" ? "transparent" : shown };
}
