import type { LogEvent, ProjectPath } from "@treadle/protocol";
import type { ProjectState } from "@treadle/protocol/fold";
import type { Store } from "@treadle/store";
import type { Workspace } from "@treadle/workspace";
import type { GitLogins } from "../git-logins.ts";

/** The parts of an open project that git operations use. The server provides it. */
export interface GitProject {
  readonly id: string;
  readonly view: ProjectState;
  isWorking(): boolean;
  append(event: LogEvent): void;
  workspace(): Promise<Workspace>;
  /**
   * Runs a function that changes files, while nothing else works on them.
   * @throws ApiFailure `working`
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Files as written by a client whose copy other programs can change as well, so that a write approves nothing. */
  clientFiles(): Promise<{
    write(path: ProjectPath, content: Uint8Array, options: { ifVersion: string }): Promise<unknown>;
    /** Removes a file. @param check called first; if it rejects, the file stays */
    remove(path: ProjectPath, check: () => Promise<void>): Promise<void>;
  }>;
}

/** The parameters of git operations on a project. */
export interface SyncParts {
  store: Store;
  logins: GitLogins;
  runtime: GitProject;
  /** The project's own folder, beside its files. */
  folder: string;
  signal?: AbortSignal | undefined;
}
