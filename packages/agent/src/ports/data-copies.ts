import type { Workspace } from "@treadle/workspace";
import type { ProjectPath } from "@treadle/protocol";
import type { Browser, RanFile } from "./browser.ts";

/** The code that a server ran. */
export interface ServerRan {
  files: RanFile[];
  /** Whether the record is complete except for `unclear`: a file that is missing was not loaded. */
  isWhole: boolean;
  /** Files loaded in a form in which their functions cannot be located. */
  unclear: ReadonlySet<ProjectPath>;
}

/** A temporary copy of the project with a copy of the app's data, and a browser for its pages. */
export interface DataCopy {
  workspace: Workspace;
  browser: Browser;
  /**
   * Whether the app's data may have changed since the copy was opened, or since `takeAsUntouched`:
   * there was a request other than GET or a socket message, or the data differs.
   */
  isTouched(): Promise<boolean>;
  /**
   * Makes the current data the baseline of `isTouched`: each start of the server creates the same.
   * Never rejects.
   */
  takeAsUntouched?(): Promise<void>;
  /**
   * Returns which parts of these files the copy's server ran since the last call, or since it was
   * started with `countsCode`. Absent or undefined if that is unknown.
   */
  ranCode?(paths: ReadonlySet<ProjectPath>): Promise<ServerRan | undefined>;
  /** Ends its processes and removes it. Never rejects. */
  close(): Promise<void>;
}

/** Opens data copies, so that looking at an app does not change the person's data. */
export interface DataCopies {
  /**
   * Opens a copy of the current project, without a running server.
   * @param options.empty without the app's data, as for a new app
   * @param options.clean as it would be handed over: without installed packages and the output of
   * builds and tools
   * @returns undefined if the project's driver cannot make copies
   * @throws WorkspaceError if there is too much data, or the sandbox does not start
   */
  open(options?: { clean?: boolean; empty?: boolean }): Promise<DataCopy | undefined>;
  /**
   * Whether the app in a copy can reach external services, through an allowed host or a key, so
   * that its effects there last. Absent: it cannot.
   */
  reachesOutside?(): Promise<boolean>;
}
