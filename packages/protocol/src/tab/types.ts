import type { ProjectPath } from "../project-path/types.ts";

/**
 * Messages between the server and a person's tab in which a project runs: JSON over one WebSocket, with bytes as base64.
 * Requests and answers are matched by number; notices sent before a request are processed before it.
 */

/** A file with its bytes. */
export interface TabFile {
  path: ProjectPath;
  base64: string;
}

/** What is otherwise in the tab than the server has sent it, up to its files of this number. */
export interface TabChanges {
  number: number;
  files: TabFile[];
  removed: ProjectPath[];
}

/** From the server to the tab. */
export type ToTab =
  /**
   * First of all. `probe`: the script that tells what a previewed page shows. `leftOut`: names of folders that tools make,
   * anywhere and in the project's own folder; the tab never sends what is in them.
   */
  | { type: "hello"; probe: string; leftOut: { anywhere: string[]; atRoot: string[] } }
  /**
   * Files as they are now, and paths that are there no more. `number` counts these messages; `whole` comes first on every
   * socket: what the tab had before is gone.
   */
  | { type: "files"; number: number; whole?: true; files: TabFile[]; removed: ProjectPath[] }
  | { type: "ask"; id: number; revision: string; ask: TabAsk }
  /** It is not wanted any more: what runs for it is ended, and answered as it ends. */
  | { type: "cancel"; id: number }
  /** Of a terminal, by the number of its ask: what is typed, and its size from now on. */
  | { type: "input"; id: number; data: string }
  | { type: "resize"; id: number; columns: number; rows: number };

/** What the tab is asked for. */
export type TabAsk =
  /** `takeBack`: files that it changes become the project's. `stage`: as the reverse channel calls it. */
  | {
      kind: "run";
      command: string;
      env: Record<string, string>;
      takeBack: boolean;
      stage: TabStage;
    }
  | { kind: "read"; path: ProjectPath }
  /** A request from inside the container, to one of its own ports. */
  | {
      kind: "request";
      port: number;
      method: string;
      path: string;
      headers: Record<string, string>;
      base64: string;
    }
  /** A shell that is typed into; answered when it ends. Files that it changes come as `changed`. */
  | { kind: "terminal"; columns: number; rows: number }
  /** The page is opened in the tab, and what its probe says is answered. */
  | { kind: "look"; port: number; path: string };

/** As `POST /build-result` has it. */
export type TabStage = "install" | "build" | "dev" | "page" | "test";

/** The result of a request. */
export type TabAnswer =
  /** `written`: files that are newer than its start, dependencies left out. */
  | ({ kind: "run"; code: number; written: number } & TabChanges)
  /** Absent: it does not exist. */
  | { kind: "read"; base64?: string }
  | { kind: "request"; status: number; headers: [name: string, value: string][]; base64: string }
  | { kind: "terminal"; code: number }
  /** Absent: the page reported nothing. */
  | { kind: "look"; report?: unknown };

/** From the tab to the server. */
export type FromTab =
  /** The container has started. */
  | { type: "ready" }
  /** It could not start, or broke. */
  | { type: "broken"; message: string }
  | { type: "output"; id: number; text: string }
  /** What is typed in a terminal has changed files: they become the project's. */
  | ({ type: "changed" } & TabChanges)
  /** All ports that are open in it now, and where this browser reaches them. */
  | { type: "ports"; ports: { port: number; url: string }[] }
  | { type: "answer"; id: number; answer: TabAnswer }
  | { type: "refused"; id: number; message: string };
