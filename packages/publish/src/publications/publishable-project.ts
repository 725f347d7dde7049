import type { ProjectState } from "@treadle/protocol/fold";
import type { Workspace } from "@treadle/workspace";

/** A project that can be published. */
export interface PublishableProject {
  /** The state derived from its log. */
  readonly view: ProjectState;
  isWorking(): boolean;
  /** Its sandbox, opened if it is asleep. */
  workspace(): Promise<Workspace>;
  /**
   * Saves a checkpoint of the current files. Resolves with its id.
   * @throws ApiFailure `working`
   */
  keepNow(label: string): Promise<string>;
}

export interface PublishableProjects {
  /** Rejects with ApiFailure 404 if there is no such project. */
  get(project: string): Promise<PublishableProject>;
}
