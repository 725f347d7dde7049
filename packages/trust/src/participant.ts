import type { ProjectPath } from "@treadle/protocol";
import type { ProjectRecord } from "@treadle/store";
import type { Workspace } from "@treadle/workspace";

export type LastRun = ProjectRecord["lastRun"];

/** The state of a project when its workspace is opened, restored or released. */
export interface Moment {
  workspace: Workspace;
  /** The last turn. */
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
   * Called when the model wrote this content of a file; an empty version: removed it. `unseen`: nobody was shown the
   * content. May reject.
   */
  modelWrote?(
    workspace: Workspace,
    path: ProjectPath,
    version: string,
    unseen: boolean,
  ): Promise<void>;
  /**
   * Called when the person wrote this content of a file; an empty version: removed it. Rejects as the workspace does.
   */
  personSaved?(workspace: Workspace, path: ProjectPath, version: string): Promise<void>;
  /**
   * Called when the person added content that they did not see, or not completely (A96): it is theirs, but approves
   * nothing new.
   */
  personGave?(workspace: Workspace, path: ProjectPath, version: string): Promise<void>;
  /** Called when the person renamed a file or folder. Rejects as the workspace does. */
  personRenamed?(workspace: Workspace, from: ProjectPath, to: ProjectPath): Promise<void>;
  /** Called before a checkpoint is restored, when nothing else works on the files. */
  restoring?(): void;
  /** Called when the checkpoint is restored. Rejects as the workspace does. */
  restored?(moment: Moment): Promise<void>;
  /** Called when the workspace is released. `quiet`: no process of the project is running any more. Never rejects. */
  released?(moment: Moment & { quiet: boolean }): Promise<void>;
  /**
   * Called before the files are copied to another project, and before that one is first opened: only content that was
   * approved here is approved there.
   */
  copied?(to: string): Promise<void>;
  /** Called when the project was removed: deletes its stored state. */
  removed?(): Promise<void>;
}
