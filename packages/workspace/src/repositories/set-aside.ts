import { randomBytes } from "node:crypto";
import { lstatSync, renameSync } from "node:fs";
import { SET_ASIDE } from "../ignored.ts";
import { openUp, type FoundRepository } from "./find-repositories.ts";

/** What a repository's HEAD is called while git is not to take it for one: without it nothing in there is obeyed. */
const HEAD_ASIDE = "HEAD.set-aside";

/**
 * Makes git take it for no repository any more: nothing of it is removed, it is called otherwise.
 * @returns what there is to tell of it: the path that it has now; undefined where it could not be moved, as what the host
 * shows read-only cannot
 */
export function setAside(root: string, { path, kind }: FoundRepository): string | undefined {
  const absolute = path === "" ? root : `${root}/${path}`;
  if (kind === "bare") return putAway(absolute) ? path : undefined;
  if (kind === "folder") putAway(absolute);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const to = freeName(`${root}/${folder}`, SET_ASIDE);
  return rename(`${root}/${folder}`, path.slice(folder.length), to) ? folder + to : undefined;
}

/** Takes a repository's HEAD away. @returns whether it had one that could be */
export function putAway(repository: string): boolean {
  return rename(`${repository}/`, "HEAD", freeName(`${repository}/`, HEAD_ASIDE));
}

/** Also in a folder that says that nothing in it may be changed. */
function rename(folder: string, from: string, to: string): boolean {
  for (const mend of [openUp, undefined])
    try {
      renameSync(folder + from, folder + to);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EACCES") return false;
      try {
        mend?.(folder.slice(0, -1));
      } catch {
        return false;
      }
    }
  return false;
}

/** The opposite of `putAway`. */
export function takeBack(repository: string): void {
  const there = (name: string) =>
    lstatSync(`${repository}/${name}`, { throwIfNoEntry: false }) !== undefined;
  if (there(HEAD_ASIDE) && !there("HEAD"))
    renameSync(`${repository}/${HEAD_ASIDE}`, `${repository}/HEAD`);
}

/** Names can be taken on purpose. */
export function freeName(folder: string, name: string): string {
  const taken = lstatSync(folder + name, { throwIfNoEntry: false }) !== undefined;
  return taken ? `${name}-${randomBytes(6).toString("hex")}` : name;
}
