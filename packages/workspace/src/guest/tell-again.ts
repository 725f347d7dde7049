import { closeSync, futimesSync } from "node:fs";
import type { ProjectPath } from "@treadle/protocol";
import { inFolder, openRegular } from "./open-folder.ts";

/**
 * Changes of one file within this many milliseconds count as close: a busy watcher sees the first
 * of them late.
 */
const CLOSE_MS = 2_000;
/**
 * Delay after the last change before the file is touched, in milliseconds. chokidar, used by Vite
 * and many others, ignores a file for 50 ms after a change: without this, the second of two edits
 * is served only by chance, and the page shows an outdated version.
 */
const AGAIN_MS = 75;

/**
 * Makes watchers of the project's files see the last of several changes, by updating the file's
 * time once the changes stop.
 * @returns a function to call after each change of a file
 */
export function createTellAgain(root: string): (path: ProjectPath) => void {
  const recent = new Map<ProjectPath, NodeJS.Timeout>();

  function later(path: ProjectPath, ms: number, act: () => void): void {
    clearTimeout(recent.get(path));
    recent.set(path, setTimeout(act, ms).unref());
  }
  const remember = (path: ProjectPath) =>
    later(path, CLOSE_MS, () => {
      recent.delete(path);
    });

  return (path) => {
    if (!recent.has(path)) return remember(path);
    later(path, AGAIN_MS, () => {
      renewTime(root, path);
      // A change right after this one would be missed as well.
      remember(path);
    });
  };
}

function renewTime(root: string, path: ProjectPath): void {
  try {
    inFolder(root, path, {}, (target) => {
      const { fd } = openRegular(target, path);
      try {
        const now = new Date();
        futimesSync(fd, now, now);
      } finally {
        closeSync(fd);
      }
    });
  } catch {
    // The file is gone or was replaced: that was a separate change.
  }
}
