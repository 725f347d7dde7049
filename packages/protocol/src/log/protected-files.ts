import type { ProjectPath } from "../project-path/index.ts";

/**
 * Changes to files that programs outside the sandbox obey (rules and skills for agents, settings of
 * editors, git and CI, install scripts in a package.json), by someone who did not ask for approval:
 * a program of the project, or an editor other than the page's.
 */
export type ProtectedFilesEvent =
  /** `stands`: the change was found at the start of the run and is kept. `put-back`: the file was restored. */
  | {
      type: "protected-changed";
      run: string;
      state: "stands" | "put-back";
      files: ProtectedChange[];
    }
  /** The person approved the new version of a file. */
  | { type: "protected-accepted"; path: ProjectPath; version: string };

/** The change of one such file. */
export interface ProtectedChange {
  path: ProjectPath;
  /** The changed version, by which it can be accepted; empty if the file was removed. Absent: it is only in a checkpoint. */
  version?: string;
  /** Whether the model receives the file, as rules or as a skill. */
  told: boolean;
  /** For a restored file: its change as unified hunks, shortened if long. */
  diff?: string;
  /** For a reverted file: its version after that (`absent`: none); only this may be overwritten. */
  left?: string;
}
