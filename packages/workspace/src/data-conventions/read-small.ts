import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/**
 * The start of a project's file as text, up to a number of bytes; undefined if there is no such file. Never blocks, even
 * if the path is a pipe.
 * @param path absolute
 */
export function readSmall(path: string, limit: number): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stat.size, limit));
    return bytes.toString("utf8", 0, readSync(file, bytes));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
