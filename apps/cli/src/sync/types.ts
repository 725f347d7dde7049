/** Content hashes (SHA-1, as the server's versions are) by path; paths are relative, with `/`. */
export type Versions = ReadonlyMap<string, string>;

export interface SyncedFile {
  bytes: Uint8Array;
  version: string;
}

/**
 * One of two synchronized sides. Others work there at any time: a file is written or removed only if it still has the
 * expected version.
 */
export interface Side {
  /**
   * All sources as they are now.
   * @param elsewhere files of the other side, and those that were in step before: they are sources wherever they are
   */
  versions(elsewhere: Iterable<string>): Promise<Versions>;
  /** Undefined where it is gone, or is no plain file any more. */
  read(path: string): Promise<SyncedFile | undefined>;
  /**
   * Writes a file atomically.
   * @param expected the version to replace, or undefined for a new file
   * @returns false if the file has another version by now; nothing was changed then
   * @throws SyncRefused if no such file can exist there
   */
  write(path: string, file: SyncedFile, expected: string | undefined): Promise<boolean>;
  /** @returns as `write` */
  remove(path: string, expected: string): Promise<boolean>;
}

export type SideName = "folder" | "project";

/** One file cannot be synchronized; the others can. `message` is the reason, without a final full stop. */
export class SyncRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SyncRefused";
  }
}
