/**
 * The text of a file that people bring along, without the mark that it may begin with; undefined where it is written neither in
 * UTF-8 nor, as its mark says, in UTF-16: letters that are read as others would be kept so.
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
