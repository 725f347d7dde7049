import { openInside } from "./open-inside.ts";

/**
 * Reads the start of a file in a folder as text (see `openInside`).
 * @param most maximum number of bytes
 * @returns undefined if there is no such file
 */
export async function readInside(
  folder: string,
  path: string,
  most: number,
): Promise<string | undefined> {
  const found = await openInside(folder, path);
  try {
    const read = await found?.read(new Uint8Array(most), 0, most, 0);
    return read && new TextDecoder().decode(read.buffer.subarray(0, read.bytesRead));
  } finally {
    await found?.close();
  }
}
