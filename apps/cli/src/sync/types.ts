/** Content hashes (SHA-1, as the server's versions are) by path; paths are relative, with `/`. */
export type Versions = ReadonlyMap<string, string>;

export interface SyncedFile {
  bytes: Uint8Array;
  version: string;
}

/**
 * One of the two that are kept in step. Whoever else works there does so at any time: what is written or removed is what was
 * expected to stand there, or nothing happens.
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
   * Whole or not at all.
   * @param expected what stands there; undefined: nothing does
   * @returns false where something else stands there by now; nothing was changed then
   * @throws SyncRefused where it cannot stand there
   */
  write(path: string, file: SyncedFile, expected: string | undefined): Promise<boolean>;
  /** @returns as `write` */
  remove(path: string, expected: string): Promise<boolean>;
}

export type SideName = "folder" | "project";

/** One file cannot be kept in step; the others are. `message` is a sentence without its end: the reason. */
export class SyncRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SyncRefused";
  }
}
