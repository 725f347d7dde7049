import { lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { TEMPORARY_PREFIX } from "../ignored.ts";
import { below, systemPath, type BytePath } from "./byte-path.ts";

/** The names of a guest's drafts. */
const DRAFT = /^[0-9a-f]{16}-\d+$/;

/**
 * Whether a folder is used for a guest's drafts: they are in its `.git`, which a person's git does
 * not enter.
 */
export const isDraftFolder = (folder: BytePath): boolean =>
  folder === TEMPORARY_PREFIX || folder.endsWith(`/${TEMPORARY_PREFIX}`);

/**
 * Removes the drafts that a killed guest left in a folder, and the folder if it is empty then. Never throws.
 * @param before milliseconds since 1970; newer drafts belong to a running guest
 */
export function sweepDraftFolder(folder: BytePath, before: number): void {
  const place = below(folder, ".git");
  try {
    if (lstatSync(systemPath(place), { throwIfNoEntry: false })?.isDirectory()) sweepPlace();
    rmdirSync(systemPath(folder));
  } catch {
    // Someone is writing there, or has put something else there.
  }

  function sweepPlace(): void {
    for (const name of readdirSync(systemPath(place), "latin1"))
      if (DRAFT.test(name)) removeOld(below(place, name), before);
    rmdirSync(systemPath(place));
  }
}

/** Removes a draft that is older than `before`. Never throws. */
export function removeOld(path: BytePath, before: number): void {
  try {
    const stat = lstatSync(systemPath(path));
    if (stat.isFile() && stat.mtimeMs < before) unlinkSync(systemPath(path));
  } catch {
    // Someone else has removed it, or the disk refuses.
  }
}
