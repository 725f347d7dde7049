import { join } from "node:path";
import { keepText, type KeptText } from "@treadle/common";

/** Characters that are kept of what the app of one release printed; its file has twice as many at most. */
export const LOG_KEPT = 1024 * 1024;

/** What the apps of releases printed: the newest of it, kept over restarts. */
export interface ReleaseLogs {
  open(project: string, release: number): KeptText;
  /** Before its folder is removed. */
  forget(project: string, release: number): Promise<void>;
  /** Resolves when all of it is on disk. */
  settled(): Promise<void>;
}

/** @param folderOf the folder of a project's releases */
export function createReleaseLogs(folderOf: (project: string) => string): ReleaseLogs {
  const all = new Map<string, KeptText>();
  const keyOf = (project: string, release: number) => `${project}/${release}`;
  return {
    open(project, release) {
      const key = keyOf(project, release);
      const known = all.get(key);
      if (known) return known;
      const made = keepText(join(folderOf(project), String(release), "app.log"), LOG_KEPT);
      all.set(key, made);
      return made;
    },
    async forget(project, release) {
      const key = keyOf(project, release);
      await all.get(key)?.remove();
      all.delete(key);
    },
    async settled() {
      await Promise.all([...all.values()].map((log) => log.settled()));
    },
  };
}
