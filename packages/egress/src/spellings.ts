/** Shorter values are not searched in encoded form, because parts of them occur in any text. */
const SHORTEST = 10;

/**
 * The forms in which a value appears in output and bundles: as it is, escaped in JSON and URLs, in hex, and in base64 at
 * each of the three alignments (`Authorization: Basic …`). The value itself comes first.
 */
export function spellingsOf(value: string): string[] {
  if (value.length < SHORTEST) return [value];
  const bytes = Buffer.from(value);
  const pieces = [0, 1, 2].map((before) => base64Within(bytes, before));
  return [
    ...new Set([
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value.toWellFormed()),
      bytes.toString("hex"),
      ...pieces,
      ...pieces.map((piece) => piece.replaceAll("+", "-").replaceAll("/", "_")),
    ]),
  ];
}

/**
 * The characters of a value's base64 that do not depend on its surroundings, after this many bytes
 * (modulo 3).
 */
function base64Within(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}
