import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";

/** The project at the beginning and at the end of a run: its files, and how they changed. */
export interface ProjectInRun {
  readonly workspace: Workspace;
  /** The revision as last asked for. */
  revision: string;
  /** Whether this run's calls changed a file, and whether one of them ran a command. */
  changed: boolean;
  commanded: boolean;
  /** Checkpoints that the log knows already; filled when the first one is kept. */
  checkpoints?: Set<string>;
  /** The revision that the running server was started from, where this run started it. */
  served?: string;
  /** Version of each file as the model last read or wrote it. */
  readonly seen: Map<ProjectPath, string>;
  /** Paths that this run changed. */
  readonly touched: Set<ProjectPath>;
  /** Text of files as a template put them there in this run: what still stands so, the model did not write. */
  readonly given: Map<ProjectPath, string>;
}
