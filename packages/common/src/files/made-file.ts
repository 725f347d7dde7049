import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Maximum bytes of a generated file that is read for its content. */
const MOST = 1024 * 1024;

/**
 * Reads a file in a folder that generated code wrote, without following a link or blocking on a
 * pipe (A108).
 * @param most maximum size in bytes; default 1 MB
 * @returns undefined unless it is a regular file within that size
 */
export function readMadeFile(folder: string, name: string, most = MOST): string | undefined {
  let fd: number;
  try {
    fd = openSync(
      join(folder, name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
  } catch {
    return undefined;
  }
  try {
    const found = fstatSync(fd);
    return found.isFile() && found.size <= most ? readFileSync(fd, "utf8") : undefined;
  } finally {
    closeSync(fd);
  }
}

/** The content of a `package.json` in the folder, if it is valid. */
export function readMadeManifest(folder: string): Record<string, unknown> | undefined {
  try {
    const given: unknown = JSON.parse(readMadeFile(folder, "package.json") ?? "");
    return isRecord(given) ? given : undefined;
  } catch {
    return undefined;
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
