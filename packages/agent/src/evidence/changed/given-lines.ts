import type { WrittenCode } from "./written-code.ts";

/**
 * The lines of a file that come from a template and not from the turn: all if the file is unchanged, otherwise those of functions
 * that appear verbatim in the template's text.
 * @param given the template's text of the file, or undefined if the template has no such file
 */
export function givenLines(
  text: string,
  { functions }: WrittenCode,
  given: string | undefined,
): Set<number> {
  const lines = new Set<number>();
  if (given === undefined) return lines;
  const all = text.split("\n");
  if (text === given) return new Set(all.map((_, index) => index + 1));
  for (const { line, endLine } of functions) {
    if (!given.includes(all.slice(line - 1, endLine).join("\n"))) continue;
    for (let at = line; at <= endLine; at++) lines.add(at);
  }
  return lines;
}
