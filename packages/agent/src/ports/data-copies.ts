import type { Workspace } from "@treadle/workspace";
import type { ProjectPath } from "@treadle/protocol";
import type { Browser, RanFile } from "./browser.ts";

/** What a server ran. */
export interface ServerRan {
  files: RanFile[];
  /** Nothing is missing but what is `unclear`: a file that is not there was not loaded. */
  isWhole: boolean;
  /** Files that were loaded in a form in which their functions cannot be found. */
  unclear: ReadonlySet<ProjectPath>;
}

/** A throw-away copy of the project with a copy of the app's data, and a browser that opens its pages. */
export interface DataCopy {
  workspace: Workspace;
  browser: Browser;
  /**
   * Whether anything may have changed what the app keeps since the copy was opened, or since `takeAsUntouched`: a request
   * other than GET, a message on a socket, data that is other.
   */
  isTouched(): Promise<boolean>;
  /** Takes what the app keeps now as what nothing has touched: every start of its server comes to the same. Never rejects. */
  takeAsUntouched?(): Promise<void>;
  /**
   * What the app's server in it ran of these files since this was asked last, or since it was started with `countsCode`.
   * Absent, or undefined: that is not known.
   */
  ranCode?(paths: ReadonlySet<ProjectPath>): Promise<ServerRan | undefined>;
  /** Ends its processes and removes it. Never rejects. */
  close(): Promise<void>;
}

/** Opens data copies, so that looking at an app changes nothing of the person's data. */
export interface DataCopies {
  /**
   * A copy of the project as it is now. No server runs in it yet.
   * @param options.empty without the app's data, as a new app begins
   * @param options.clean as it would be handed over: without installed packages and what builds and tools have written
   * @returns undefined where this project cannot be copied: its driver makes no copies
   * @throws WorkspaceError where there is too much data, or the sandbox does not start
   */
  open(options?: { clean?: boolean; empty?: boolean }): Promise<DataCopy | undefined>;
  /**
   * Whether what runs in a copy can reach services outside, by a host that the project may reach or a key of its own: what
   * it does there lasts. Absent: it cannot.
   */
  reachesOutside?(): Promise<boolean>;
}
