/**
 * The text of a file with its byte-order mark and line endings; undefined if it is not UTF-8 (F21, F22), because such a
 * file must never be rewritten from a lossy decoding.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, 8_000).includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
