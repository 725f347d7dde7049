/** Content hashes (SHA-1, like the server's versions) by path; paths are relative and use `/`. */
export type Versions = ReadonlyMap<string, string>;

export interface SyncedFile {
  bytes: Uint8Array;
  version: string;
}

/**
 * One of two synchronized sides. Others may change it at any time: a file is written or removed
 * only if it still has the expected version.
 */
export interface Side {
  /**
   * Lists all current sources.
   * @param elsewhere files of the other side, and files that were synchronized before: they always
   * count as sources
   */
  versions(elsewhere: Iterable<string>): Promise<Versions>;
  /** Reads a file; undefined if it is missing, or no longer a regular file. */
  read(path: string): Promise<SyncedFile | undefined>;
  /**
   * Writes a file atomically.
   * @param expected the version to replace, or undefined for a new file
   * @returns false if the file has another version by now; nothing was changed then
   * @throws SyncRefused if no such file can exist there
   */
  write(path: string, file: SyncedFile, expected: string | undefined): Promise<boolean>;
  /** Removes a file. Returns false and throws like `write`. */
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
