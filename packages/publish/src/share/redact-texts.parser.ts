import { spellingsOf } from "@treadle/egress/spellings";
import { SECRET_RULES } from "../gate/secrets/secret-rules.ts";
import { spelledOut } from "../gate/files/spelled-out.ts";
import { MASK } from "./mask.ts";

/** Minimum length of a value, in characters; shorter ones occur by chance. */
const SHORTEST = 6;
/** Home folders on any system. */
const HOMES = /(?:\/home|\/Users|[A-Z]:\\Users)[/\\][^/\\\s"'`<>]{1,64}/g;

/**
 * Removes private values, anything with the format of a key, and home folders from texts.
 * @param values also found in encoded spellings; the longer of two overlapping values is removed
 * first
 */
export function parse(texts: readonly string[], values: readonly string[]): string[] {
  const known = [...new Set(values)]
    .filter((value) => value.length >= SHORTEST)
    .flatMap(spellingsOf)
    .toSorted((a, b) => b.length - a.length);
  return texts.map((text) => {
    let shown = text;
    for (const value of known) if (shown.includes(value)) shown = shown.replaceAll(value, MASK);
    for (const { shape } of SECRET_RULES)
      shown = shown.replaceAll(shape, (match: string, ...rest: unknown[]) => {
        const groups = rest.at(-1) as Record<string, string> | undefined;
        const value = typeof groups === "object" ? groups["value"] : undefined;
        return value === undefined ? MASK : match.replaceAll(value, MASK);
      });
    return withoutSpelled(shown, known).replaceAll(HOMES, MASK);
  });
}

/** Masks private values and keys in concatenated and encoded literals. */
function withoutSpelled(text: string, known: readonly string[]): string {
  const decoded = spelledOut(text);
  if (!decoded) return text;
  const spans: [from: number, to: number][] = [];
  const add = (from: number, length: number) =>
    spans.push([decoded.at(from), decoded.until(from + length)]);
  for (const value of known)
    for (let at = decoded.text.indexOf(value); at >= 0; at = decoded.text.indexOf(value, at + 1))
      add(at, value.length);
  for (const { shape } of SECRET_RULES)
    for (const match of decoded.text.matchAll(shape)) {
      const value = match.groups?.["value"] ?? match[0];
      add(match.index + match[0].indexOf(value), value.length);
    }
  let shown = "";
  let from = 0;
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    if (end <= from) continue;
    if (start >= from) shown += text.slice(from, start) + MASK;
    from = end;
  }
  return shown + text.slice(from);
}
