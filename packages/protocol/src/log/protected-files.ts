import type { ProjectPath } from "../project-path/index.ts";

/**
 * Files that something outside the sandbox obeys (rules and skills for agents, editors' settings, git's, CI's, the install
 * scripts of a package.json), changed by who was not asked to: a program of the project, or an editor beside the page.
 */
export type ProtectedFilesEvent =
  /** `stands`: it stays so, and was found when the run began. `put-back`: it was put back as it had been. */
  | {
      type: "protected-changed";
      run: string;
      state: "stands" | "put-back";
      files: ProtectedChange[];
    }
  /** The person agreed to what a file had become. */
  | { type: "protected-accepted"; path: ProjectPath; version: string };

/** What became of one such file. */
export interface ProtectedChange {
  path: ProjectPath;
  /** What it had become, as it is named to agree to it; empty: it was removed. Absent: it is in a checkpoint alone. */
  version?: string;
  /** Whether it is one of those that the model is told, as rules or as a skill. */
  told: boolean;
  /** Of one that was put back: what it was and what it had become, as unified hunks, and cut where that is long. */
  diff?: string;
  /** Of one that was put back: its content as that left it (`absent`: none); only this is written over. */
  left?: string;
}
