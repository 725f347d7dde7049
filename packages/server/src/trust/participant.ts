import type { ProjectPath } from "@treadle/protocol";
import type { ProjectRecord } from "@treadle/store";
import type { Workspace } from "@treadle/workspace";

export type LastRun = ProjectRecord["lastRun"];

/** How the project stands when its workspace is opened, gone back in, or given up. */
export interface Moment {
  workspace: Workspace;
  /** What the last turn left. */
  lastRun: LastRun;
}

/**
 * One that keeps what is trusted of a project, told of all that may change it. Each step is told to all of them in the
 * order of their list, and to the next one when the one before is done.
 */
export interface TrustParticipant {
  /** Before anything is started in the workspace. Rejects as the workspace does: it is not used then. */
  opened?(moment: Moment): Promise<void>;
  /** The model wrote this content of a file; `unseen`: nobody was shown it. Empty version: removed. May reject. */
  modelWrote?(
    workspace: Workspace,
    path: ProjectPath,
    version: string,
    unseen: boolean,
  ): Promise<void>;
  /** The person left this content of a file; an empty version: removed it. Rejects as the workspace does. */
  personSaved?(workspace: Workspace, path: ProjectPath, version: string): Promise<void>;
  /** The same of what they did not look into, or not as a whole (A96): it is theirs, and nothing new is agreed to with it. */
  personGave?(workspace: Workspace, path: ProjectPath, version: string): Promise<void>;
  /** The person gave a file or folder another name. Rejects as the workspace does. */
  personRenamed?(workspace: Workspace, from: ProjectPath, to: ProjectPath): Promise<void>;
  /** The files are going to be put back to a checkpoint, and nothing else is at work on them. */
  restoring?(): void;
  /** They were. Rejects as the workspace does. */
  restored?(moment: Moment): Promise<void>;
  /** The workspace is given up. `quiet`: no process of the project is alive any more. Never rejects. */
  released?(moment: Moment & { quiet: boolean }): Promise<void>;
  /**
   * Its files are going to be copied to another project: what was agreed to here, and nothing else, counts there too.
   * Before that one is opened for the first time.
   */
  copied?(to: string): Promise<void>;
  /** The project is gone: what was kept of it is forgotten. */
  removed?(): Promise<void>;
}
