/**
 * Decodes a text file, keeping its byte-order mark and line endings. Undefined if it is not UTF-8 or has a NUL byte near
 * its start: such a file must never be rewritten from a lossy decoding (F21, F22).
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, 8_000).includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
