/** A shorter value is not looked for in other spellings: a piece of one stands in any text. */
const SHORTEST = 10;

/**
 * A value as it stands in what programs print and bundlers write: as it is, within JSON and addresses, in hex, and in base64,
 * also where other text is before or behind it in the same base64 (`Authorization: Basic …`). The value itself is the first.
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

/** Those characters of its base64 that depend on nothing around it, behind so many bytes (modulo 3) of something else. */
function base64Within(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}
