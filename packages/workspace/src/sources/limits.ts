/**
 * Limits of reading a project's tree. Entries beyond them are left out and named; a person can
 * still remove them.
 */
export const TREE_LIMITS = {
  /** Depth of nested folders. */
  depth: 100,
  /**
   * Length of a path relative to the project's folder, in bytes: git, search and the kernel accept
   * at most twice as many.
   */
  pathBytes: 2_000,
  /** Number of entries in one folder. A folder with more is left out with all its content. */
  folderEntries: 100_000,
  /** Number of files, links and folders in the whole project. */
  entries: 300_000,
  /**
   * Size of a file, in bytes, whose content is covered by revisions and stored in checkpoints. Of a
   * larger one, a revision covers its size, its time and its first and last megabyte.
   */
  fileBytes: 1024 * 1024 * 1024,
  /** The same limit for all files together that are read in one look; files that come later count as larger. */
  lookBytes: 4 * 1024 * 1024 * 1024,
  /** Size of a response that names all entries, in bytes. */
  answerBytes: 40 * 1024 * 1024,
  /** Number of left-out entries that are named. */
  named: 50,
} as const;

/** Why an entry of a project is left out. */
export type LeftOutReason = "depth" | "count" | "size" | "unreadable";

export type TreeLimits = { readonly [Name in keyof typeof TREE_LIMITS]: number };
