import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Maximum bytes of a generated file that is read for its content. */
const MOST = 1024 * 1024;

/**
 * Text of a file in a folder that generated code wrote, without following a link or waiting for a pipe (A108).
 * @param most bytes that it may have; default 1 MB
 * @returns undefined where there is no plain file of at most so many
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

/** What a `package.json` there says, as far as it is one. */
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
