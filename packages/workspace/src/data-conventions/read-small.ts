import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/**
 * The beginning of a file of the project as text, at most so many bytes; undefined if there is no such file. Never waits:
 * what stands there may be a pipe that nobody writes to.
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
