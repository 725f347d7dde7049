/**
 * Decodes a person's file, without its byte-order mark; undefined unless it is UTF-8, or UTF-16
 * with a byte-order mark. A wrong encoding would corrupt the stored text.
 */
export function textOf(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const name = isWide ? (first === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
