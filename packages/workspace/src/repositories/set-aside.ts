import { randomBytes } from "node:crypto";
import { lstatSync, renameSync } from "node:fs";
import { SET_ASIDE } from "../ignored.ts";
import { below, bytePath, systemPath, textPath, type BytePath } from "./byte-path.ts";
import { openUp, type FoundRepository } from "./find-repositories.ts";

/** Name of a repository's HEAD while git should ignore the repository: git requires a HEAD. */
const HEAD_ASIDE = "HEAD.set-aside";

/**
 * Renames a repository so that git ignores it, without removing anything.
 * @returns its new path for messages; undefined if it could not be renamed, for example on a
 * read-only mount
 */
export function setAside(root: string, { path, kind }: FoundRepository): string | undefined {
  const base = bytePath(root);
  const repository = below(base, path);
  if (kind === "bare") return putHeadAway(repository) ? textPath(path) : undefined;
  if (kind === "folder") putHeadAway(repository);
  const slash = path.lastIndexOf("/");
  const folder = slash === -1 ? "" : path.slice(0, slash);
  const to = free(below(base, folder), SET_ASIDE);
  return rename(below(base, folder), path.slice(slash + 1), to)
    ? textPath(below(folder, to))
    : undefined;
}

/** Renames a repository's HEAD. */
export const putAway = (repository: string): void => void putHeadAway(bytePath(repository));

/** The opposite of `putAway`. */
export function putBack(repository: string): void {
  const folder = bytePath(repository);
  if (isThere(folder, HEAD_ASIDE) && !isThere(folder, "HEAD")) rename(folder, HEAD_ASIDE, "HEAD");
}

/** An unused name for a renamed repository in a folder. */
export const freeName = (folder: string): string => free(bytePath(folder), SET_ASIDE);

const putHeadAway = (repository: BytePath) =>
  rename(repository, "HEAD", free(repository, HEAD_ASIDE));

/** An unused name: a program may have taken the usual one deliberately. */
const free = (folder: BytePath, name: string) =>
  isThere(folder, name) ? `${name}-${randomBytes(6).toString("hex")}` : name;

const isThere = (folder: BytePath, name: BytePath) =>
  lstatSync(systemPath(below(folder, name)), { throwIfNoEntry: false }) !== undefined;

/** Renames even in a read-only folder; returns whether it did. */
function rename(folder: BytePath, from: BytePath, to: BytePath): boolean {
  try {
    openUp(folder, 0o700);
    renameSync(systemPath(below(folder, from)), systemPath(below(folder, to)));
    return true;
  } catch {
    return false;
  }
}
