import type { Picked, Property } from "./picked.ts";

/**
 * What a field of the panel shows: what the source says, else what the page has of itself. A width that nobody said is
 * `auto`, whatever it came to.
 * @returns `used`: what a width came to, where that is something else: a share, or one that something else holds to its bounds
 */
export function shownStyle(
  property: Property,
  { value, by }: Picked["styles"][Property],
): { said: string; used?: string } {
  const said = by?.value || (property === "width" ? "auto" : value);
  if (property === "width" && value !== said && value !== "auto") return { said, used: value };
  return { said: said === "rgba(0, 0, 0, 0)" ? "transparent" : said };
}
