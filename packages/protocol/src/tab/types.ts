import type { ProjectPath } from "../project-path/types.ts";

/**
 * What the server and a person's tab say to each other where a project runs in that tab: JSON over one WebSocket, bytes as
 * base64. The server asks by number, the tab answers by it; what was told before an ask is done before it.
 */

/** A file with its bytes. */
export interface TabFile {
  path: ProjectPath;
  base64: string;
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
  | { type: "cancel"; id: number };

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
  /** The page is opened in the tab, and what its probe says is answered. */
  | { kind: "look"; port: number; path: string };

/** As `POST /build-result` has it. */
export type TabStage = "install" | "build" | "dev" | "page" | "test";

/** What an ask came to. */
export type TabAnswer =
  /** `written`: files that are newer than its start, dependencies left out. */
  | { kind: "run"; code: number; written: number; files: TabFile[]; removed: ProjectPath[] }
  /** Absent: it does not exist. */
  | { kind: "read"; base64?: string }
  | { kind: "request"; status: number; headers: [name: string, value: string][]; base64: string }
  /** Absent: the page told nothing of itself. */
  | { kind: "look"; report?: unknown };

/** From the tab to the server. */
export type FromTab =
  /** The container has started. */
  | { type: "ready" }
  /** It could not start, or broke. */
  | { type: "broken"; message: string }
  | { type: "output"; id: number; text: string }
  /** All ports that are open in it now, and where this browser reaches them. */
  | { type: "ports"; ports: { port: number; url: string }[] }
  | { type: "answer"; id: number; answer: TabAnswer }
  | { type: "refused"; id: number; message: string };
