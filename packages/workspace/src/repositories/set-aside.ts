import { randomBytes } from "node:crypto";
import { lstatSync, renameSync } from "node:fs";
import { SET_ASIDE } from "../ignored.ts";
import { below, bytePath, systemPath, textPath, type BytePath } from "./byte-path.ts";
import { openUp, type FoundRepository } from "./find-repositories.ts";

/** What a repository's HEAD is called while git is not to take it for one: without it nothing in there is obeyed. */
const HEAD_ASIDE = "HEAD.set-aside";

/**
 * Makes git take it for no repository any more: nothing of it is removed, it is called otherwise.
 * @returns the path to tell of it, the one that it has now; undefined where it could not be moved, as what the host shows
 * read-only cannot
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

/** Takes a repository's HEAD away. */
export const putAway = (repository: string): void => void putHeadAway(bytePath(repository));

/** The opposite of `putAway`. */
export function putBack(repository: string): void {
  const folder = bytePath(repository);
  if (isThere(folder, HEAD_ASIDE) && !isThere(folder, "HEAD")) rename(folder, HEAD_ASIDE, "HEAD");
}

/** A name for what is set aside in a folder. */
export const freeName = (folder: string): string => free(bytePath(folder), SET_ASIDE);

const putHeadAway = (repository: BytePath) =>
  rename(repository, "HEAD", free(repository, HEAD_ASIDE));

/** Names can be taken on purpose. */
const free = (folder: BytePath, name: string) =>
  isThere(folder, name) ? `${name}-${randomBytes(6).toString("hex")}` : name;

const isThere = (folder: BytePath, name: BytePath) =>
  lstatSync(systemPath(below(folder, name)), { throwIfNoEntry: false }) !== undefined;

/** Also in a folder that says that nothing in it may be changed. */
function rename(folder: BytePath, from: BytePath, to: BytePath): boolean {
  try {
    openUp(folder, 0o700);
    renameSync(systemPath(below(folder, from)), systemPath(below(folder, to)));
    return true;
  } catch {
    return false;
  }
}
