/** How far a project's tree is looked at. What lies beyond is left out and named; a person can still remove it. */
export const TREE_LIMITS = {
  /** Folders one inside the other. */
  depth: 100,
  /** Bytes of a path below the project's folder: git, search and the kernel take twice as many at most. */
  pathBytes: 2_000,
  /** Entries of one folder. One with more is left out with all that it holds. */
  folderEntries: 100_000,
  /** Files, links and folders of the whole project. */
  entries: 300_000,
  /**
   * Bytes of a file whose content a revision covers and a checkpoint keeps. Of a larger one, a revision covers its size, its
   * time and its first and last megabyte.
   */
  fileBytes: 1024 * 1024 * 1024,
  /** The same for all files together that are read in one look; those that are met later count as larger. */
  lookBytes: 4 * 1024 * 1024 * 1024,
  /** Bytes of an answer that names all of them. */
  answerBytes: 40 * 1024 * 1024,
  /** Things left out that are named. */
  named: 50,
} as const;

/** Why something of a project is not looked at. */
export type LeftOutReason = "depth" | "count" | "size" | "unreadable";

export type TreeLimits = { readonly [Name in keyof typeof TREE_LIMITS]: number };
