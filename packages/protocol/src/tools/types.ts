import type { ContextKind } from "../log/context.ts";

/**
 * A tool's purpose. Code that distinguishes tools uses this: names appear only in the vocabulary, in the tool's own
 * files, and in dialects that spell them.
 */
export type ToolKind =
  /** Reads files, skills or web pages: changes nothing. */
  | "reads"
  /** Writes one file, named by `path`. */
  | "writes"
  /** Moves a file, from `from` to `to`. */
  | "moves"
  /** Creates a whole project with its dependencies. */
  | "scaffolds"
  /** Runs a command that ends. */
  | "runs"
  /** Starts the project's server. */
  | "serves"
  /** Looks at the running app. */
  | "looks"
  /** Changes the to-do list. */
  | "plans"
  /** Asks the person. */
  | "asks"
  /** Ends the turn. */
  | "ends";

/**
 * An argument that is not a plain value: a file's complete content, edits of one, or a to-do list.
 */
export type ArgumentKind = "file" | "edits" | "list";

/** Facts about a tool for everything outside its own files. */
export interface ToolEntry {
  kind: ToolKind;
  /** The argument that names the subject; the words below receive its value. */
  about?: "path" | "command" | "url";
  /** Arguments that are no plain values. */
  arguments?: Record<string, ArgumentKind>;
  /** The kind of its result in a request; absent: `evidence` for a look, `results` for others. */
  result?: ContextKind;
  /** Its action in one word, for failures: "Did not write src/App.tsx". */
  verb?: "write" | "edit" | "read" | "delete";
  /** Describes a call in progress: "Writing src/App.tsx", without dots at the end. */
  doing(about?: string): string;
  /** Describes a call that waits for earlier ones: "Will write src/App.tsx". Absent: described by its name. */
  next?(about?: string): string;
  /** Describes several successful calls in a row: "Wrote 3 files". Absent: each is listed. */
  many?(count: number): string;
}
