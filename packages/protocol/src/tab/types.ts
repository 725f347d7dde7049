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

/** Differences of the tab from what the server has sent, up to its files message of this number. */
export interface TabChanges {
  number: number;
  files: TabFile[];
  removed: ProjectPath[];
}

/** From the server to the tab. */
export type ToTab =
  /**
   * The first message. `probe`: the script that reports what a previewed page shows. `leftOut`:
   * names of generated folders, anywhere and at the project's root; the tab never sends their
   * content.
   */
  | { type: "hello"; probe: string; leftOut: { anywhere: string[]; atRoot: string[] } }
  /**
   * Current files, and removed paths. `number` counts these messages; `whole` is first on every
   * socket: it replaces everything that the tab had.
   */
  | { type: "files"; number: number; whole?: true; files: TabFile[]; removed: ProjectPath[] }
  | { type: "ask"; id: number; revision: string; ask: TabAsk }
  /** The request is cancelled: its programs are ended, and it is answered when they have ended. */
  | { type: "cancel"; id: number }
  /** For a terminal, by the number of its request: input, and its new size. */
  | { type: "input"; id: number; data: string }
  | { type: "resize"; id: number; columns: number; rows: number };

/** A request to the tab. */
export type TabAsk =
  /** `takeBack`: copy changed files to the project. `stage`: as named by the reverse channel. */
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
  /** An interactive shell; answered when it exits. Files that it changes arrive as `changed`. */
  | { kind: "terminal"; columns: number; rows: number }
  /** Opens the page in the tab, and returns its probe's report. */
  | { kind: "look"; port: number; path: string };

/** As in `POST /build-result`. */
export type TabStage = "install" | "build" | "dev" | "page" | "test";

/** The result of a request. */
export type TabAnswer =
  /** `written`: number of files newer than its start, without dependencies. */
  | ({ kind: "run"; code: number; written: number } & TabChanges)
  /** Absent: the file does not exist. */
  | { kind: "read"; base64?: string }
  | { kind: "request"; status: number; headers: [name: string, value: string][]; base64: string }
  | { kind: "terminal"; code: number }
  /** Absent: the page reported nothing. */
  | { kind: "look"; report?: unknown };

/** From the tab to the server. */
export type FromTab =
  /** The container has started. */
  | { type: "ready" }
  /** It could not start, or crashed. */
  | { type: "broken"; message: string }
  | { type: "output"; id: number; text: string }
  /** A terminal has changed files, to be copied to the project. */
  | ({ type: "changed" } & TabChanges)
  /** All open ports in it, with their addresses in this browser. */
  | { type: "ports"; ports: { port: number; url: string }[] }
  | { type: "answer"; id: number; answer: TabAnswer }
  | { type: "refused"; id: number; message: string };
