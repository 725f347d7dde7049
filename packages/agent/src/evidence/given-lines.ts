import type { WrittenCode } from "./written-code.ts";

/**
 * Lines of a file that a template wrote, and not the turn: all of them if the file was not changed, else those of functions
 * that are word for word in the template's text.
 * @param given the template's text of the file; undefined: it has none
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
