import type { ProjectPath } from "@treadle/protocol";
import type { ProjectRecord } from "@treadle/store";
import type { Workspace } from "@treadle/workspace";

export type LastRun = ProjectRecord["lastRun"];

/** The state of a project when its workspace is opened, restored or released. */
export interface Moment {
  workspace: Workspace;
  /** The result of the last turn. */
  lastRun: LastRun;
}

/**
 * A part of a project's trust that is notified of everything that may change it. Each step calls
 * them in the order of their list, one after the other.
 */
export interface TrustParticipant {
  /**
   * Called before anything is started in the workspace. Rejects as the workspace does: it is not
   * used then.
   */
  opened?(moment: Moment): Promise<void>;
  /**
   * The model wrote this content of a file; `unseen`: nobody was shown it. Empty version: removed.
   * May reject.
   */
  modelWrote?(
    workspace: Workspace,
    path: ProjectPath,
    version: string,
    unseen: boolean,
  ): Promise<void>;
  /**
   * The person wrote this content of a file; an empty version: removed it. Rejects as the workspace
   * does.
   */
  personSaved?(workspace: Workspace, path: ProjectPath, version: string): Promise<void>;
  /**
   * The same for content that the person did not see, or not completely (A96): it is theirs, but
   * approves nothing new.
   */
  personGave?(workspace: Workspace, path: ProjectPath, version: string): Promise<void>;
  /** The person renamed a file or folder. Rejects as the workspace does. */
  personRenamed?(workspace: Workspace, from: ProjectPath, to: ProjectPath): Promise<void>;
  /** A checkpoint is about to be restored, and nothing else works on the files. */
  restoring?(): void;
  /** The checkpoint was restored. Rejects as the workspace does. */
  restored?(moment: Moment): Promise<void>;
  /**
   * The workspace is released. `quiet`: no process of the project is running any more. Never
   * rejects.
   */
  released?(moment: Moment & { quiet: boolean }): Promise<void>;
  /**
   * Its files are about to be copied to another project, before that is first opened: only what was
   * approved here is approved there.
   */
  copied?(to: string): Promise<void>;
  /** The project was removed: deletes its stored state. */
  removed?(): Promise<void>;
}
