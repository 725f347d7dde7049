import type { ProjectPath } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";

/** The project during a run: its files, and how the run changed them. */
export interface ProjectInRun {
  readonly workspace: Workspace;
  /** The revision when it was last read. */
  revision: string;
  /** Whether this run's calls changed a file, and whether any of them ran a command. */
  changed: boolean;
  commanded: boolean;
  /** Checkpoints that are already in the log; read when the first one is saved. */
  checkpoints?: Set<string>;
  /** The revision from which this run started the server; absent if it did not. */
  served?: string;
  /** The version of each file that the model last read or wrote. */
  readonly seen: Map<ProjectPath, string>;
  /** Paths that this run changed. */
  readonly touched: Set<ProjectPath>;
  /** Texts that a template wrote to files in this run: parts that are still the same are not the model's work. */
  readonly given: Map<ProjectPath, string>;
}
