/** What a page and the server send each other while several people have a project open. Bytes are in base64. */
import type { Author } from "../log/types.ts";

/** What others may do with a terminal that is shared with them: see its output, or type as well. */
export type TerminalSharing = "see" | "type";

/** What somebody is looking at. */
export interface Viewing {
  tab?: string | undefined;
  /** The file that is shown. */
  path?: string | undefined;
}

/** A page that is open. One person may have several. */
export interface Present {
  id: string;
  person: Author;
  place: Viewing;
}

/** The state of a shared file: `synced` if the disk has all of it. */
export type SharedState = "synced" | "edited" | "writing" | "reading" | "failed" | "gone";

/** What a page sends: where its person is, and what they do in shared files. */
export type TogetherFromPage =
  | { type: "place"; place: Viewing }
  /** `vector`: the state of the text that the page has already, from the server's same `copy` of it. */
  | { type: "open"; path: string; copy?: string | undefined; vector?: string | undefined }
  | { type: "edit"; path: string; update: string }
  | { type: "cursor"; path: string; client: number; cursor: string }
  | { type: "save" | "close"; path: string };

/** What the server sends to a page: who is there, and what happens in the shared files that it has open. */
export type TogetherToPage =
  /** `you` is the page's own id. */
  | { type: "people"; you: string; people: Present[] }
  /**
   * `copy` names the text that the server has in memory; another one has nothing in common with it.
   * `vector`: its state, by which the page knows what the server lacks.
   */
  | { type: "opened"; path: string; copy: string; update: string; vector: string }
  /** The file is not there, too large, no text, or holds secrets. */
  | { type: "refused"; path: string }
  | { type: "edit"; path: string; update: string }
  /** `cursor`: empty if it is gone. */
  | { type: "cursor"; path: string; client: number; cursor: string; person?: Author }
  /** `taken`: how many of this page's edits are in it. */
  | { type: "state"; path: string; state: SharedState; version: string; taken: number };
