import { existsSync, lstatSync, readdirSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectPath } from "@treadle/protocol";
import { SET_ASIDE } from "../ignored.ts";
import { fromDisk } from "../paths.ts";
import { setAside, putBack } from "../repositories/set-aside.ts";
import { openFolder } from "./open-folder.ts";

/**
 * Frees the path of the project's repository at its root: renames a repository made before that path was reserved, like
 * those in subfolders. This runs in the sandbox, where no link leads to other files of the host.
 * @returns its new name; empty if there was none
 */
export function makeRoom(root: string, isMadeInside: boolean): ProjectPath {
  const place = join(root, ".git");
  const stat = lstatSync(place, { throwIfNoEntry: false });
  const isEmpty = stat?.isDirectory() && readdirSync(place).length === 0;
  const kind = stat?.isDirectory() ? "folder" : "file";
  const aside =
    stat && !isEmpty && isMadeInside ? setAside(root, { path: ".git", kind, inode: 0 }) : undefined;
  // Creates the folder that is mounted over, without following a link.
  openFolder(root, ".git/x", { make: true }).close();
  return fromDisk(aside ?? "");
}

/**
 * Moves a renamed repository to the path of the project's repository, unless there is one already. Returns whether it
 * was moved.
 */
export async function moveIn(root: string, name: string): Promise<boolean> {
  const [from, to] = [join(root, name), join(root, ".git")];
  const isFolder = lstatSync(from, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!name.startsWith(SET_ASIDE) || name.includes("/") || !isFolder) return false;
  if (existsSync(join(to, "HEAD"))) return false;
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  putBack(to);
  await rm(from, { recursive: true, force: true });
  return true;
}
