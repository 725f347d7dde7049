import type { ProjectPath } from "../project-path/index.ts";

/**
 * Files that something outside the sandbox obeys (rules and skills for agents, editors' settings, git's, CI's, the install
 * scripts of a package.json), changed by who was not asked to: a program of the project, or an editor beside the page.
 */
export type ProtectedFilesEvent =
  /** `stands`: the change was found at the start of the run and is left. `put-back`: the file was restored. */
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
  /** The changed version, by which it can be accepted; empty if the file was removed. Absent: it is only in a checkpoint. */
  version?: string;
  /** Whether the model receives the file, as rules or as a skill. */
  told: boolean;
  /** For a restored file: its change as unified hunks, shortened if long. */
  diff?: string;
  /** Of one that was put back: its content as that left it (`absent`: none); only this is written over. */
  left?: string;
}
