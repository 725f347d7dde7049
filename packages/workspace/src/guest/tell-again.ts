import { closeSync, futimesSync } from "node:fs";
import type { ProjectPath } from "@treadle/protocol";
import { inFolder, openRegular } from "./open-folder.ts";

/** Changes of one file within so many milliseconds are close: a busy watcher sees the first of them late. */
const CLOSE_MS = 2_000;
/**
 * So long after the last of them the file is told of again, in milliseconds. chokidar, by which Vite and many others watch,
 * is deaf to a file for 50 ms after a change of it: the second of two edits is served only by chance, and the page that is
 * looked at is one that nobody has any more.
 */
const AGAIN_MS = 75;

/**
 * Lets those who watch the project's files see the last of several changes, by giving the file a new time once it is left
 * alone.
 * @returns what is called after each change of a file
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
      // A change right after this one would be overlooked as well.
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
    // It is gone, or something else stands there: that was a change of its own.
  }
}
