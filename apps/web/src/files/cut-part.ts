/** Bytes of a file shown at a time. */
export const PART_BYTES = 1024 * 1024;

/** One part of a long text, cut where a line ends. */
export interface TextPart {
  text: string;
  /** Size in the file, in bytes. */
  size: number;
  lines: number;
}

/**
 * The text of one part of a file. Ends after the last complete line, or after the last complete character if one line fills
 * the part.
 * @param isLast whether the file ends with these bytes
 */
export function cutPart(bytes: Uint8Array, isLast: boolean): TextPart {
  const line = bytes.lastIndexOf(10) + 1;
  const size = isLast ? bytes.length : line > 0 ? line : completeCharacterBytes(bytes);
  const text = new TextDecoder().decode(bytes.subarray(0, size));
  return { text, size, lines: text.split("\n").length - 1 };
}

/** The number of bytes before a UTF-8 character that is cut off at the end. */
function completeCharacterBytes(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > 0 && bytes.length - start < 4 && (bytes[start]! & 0xc0) === 0x80) start--;
  const first = bytes[start]!;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start + length > bytes.length && start > 0 ? start : bytes.length;
}
