import { join } from "node:path";
import { keepText, type KeptText } from "@treadle/common";

/** Number of characters kept of a release's output; its file has at most twice as many. */
export const LOG_KEPT = 1024 * 1024;

/** The newest output of releases' apps, persisted across restarts. */
export interface ReleaseLogs {
  open(project: string, release: number): KeptText;
  /** Call before its folder is removed. */
  forget(project: string, release: number): Promise<void>;
  /** Resolves when everything is on disk. */
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
