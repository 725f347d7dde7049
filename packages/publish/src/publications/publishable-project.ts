import type { ProjectState } from "@treadle/protocol/fold";
import type { Workspace } from "@treadle/workspace";

/** A project that can be published. */
export interface PublishableProject {
  /** What its log says of it. */
  readonly view: ProjectState;
  isWorking(): boolean;
  /** Its sandbox, opened where it sleeps. */
  workspace(): Promise<Workspace>;
  /** Keeps the files as they stand. Resolves with the checkpoint. @throws ApiFailure `working` */
  keepNow(label: string): Promise<string>;
}

export interface PublishableProjects {
  /** @throws ApiFailure 404 */
  get(project: string): Promise<PublishableProject>;
}
