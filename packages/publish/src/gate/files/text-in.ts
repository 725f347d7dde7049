/** Number of bytes used to detect the encoding of a file without a byte-order mark. */
const SEEN = 2_048;

/**
 * Decodes a file: UTF-8, or UTF-16 as some editors and PowerShell's `>` write it, detected by the
 * byte-order mark or by alternating zero bytes.
 */
export function textIn(bytes: Uint8Array): string {
  const order = wideOrder(bytes);
  if (order === undefined) return new TextDecoder().decode(bytes);
  return new TextDecoder(order === "little" ? "utf-16le" : "utf-16be").decode(bytes);
}

function wideOrder(bytes: Uint8Array): "little" | "big" | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "little";
  if (first === 0xfe && second === 0xff) return "big";
  const length = Math.min(bytes.length, SEEN) & ~1;
  let [even, odd] = [0, 0];
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const most = length * 0.4;
  if (length < 8) return undefined;
  if (odd > most && even === 0) return "little";
  return even > most && odd === 0 ? "big" : undefined;
}
