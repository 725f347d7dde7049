import { decodeEntities } from "../text/entities.ts";
import { endOfName } from "../text/match-name.ts";
import { isWhite } from "../text/white.ts";

/** Quotes may be escaped, as in a string, or curly, and the last one may be missing. */
const ATTRIBUTE =
  /([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|\\?["'‘-”]([^"'‘-”\\]*)(?:\\?["'‘-”]|$)|([^\s>"']+)))?/g;

/**
 * The attributes of a tag, by lower-case name; for a repeated name the first counts. Entities in
 * values are decoded. A Map, because a model may write any name, including `__proto__`.
 * @param source the text between the tag's name and its `>`
 */
export function parseAttributes(source: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (let at = 0; at < source.length;) {
    let name = "";
    let value = "";
    // Nearly all are ` name="value"`, of which a long answer has thousands, and a regular
    // expression is slower.
    const equals = isWhite(source.charCodeAt(at)) ? endOfName(source, at + 1) : 0;
    const end = source.startsWith('="', equals) ? source.indexOf('"', equals + 2) : -1;
    if (end !== -1 && equals > at + 1) {
      name = source.slice(at + 1, equals);
      value = source.slice(equals + 2, end);
      at = end + 1;
    } else {
      ATTRIBUTE.lastIndex = at;
      const match = ATTRIBUTE.exec(source);
      if (!match) break;
      name = match[1]!;
      value = match[2] ?? match[3] ?? match[4] ?? match[5] ?? "";
      at = ATTRIBUTE.lastIndex;
    }
    name = name.toLowerCase();
    if (!attributes.has(name)) attributes.set(name, decodeEntities(value));
  }
  return attributes;
}

/** Escapes a value for double quotes. */
export function encodeAttribute(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
