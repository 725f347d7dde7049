import type { ContextKind } from "../log/context.ts";

/**
 * A tool's purpose. Code that distinguishes tools uses this: names appear only in the vocabulary, in the tool's own
 * files, and in dialects that spell them.
 */
export type ToolKind =
  /** Files, skills, pages of the web: changes nothing. */
  | "reads"
  /** One file: `path` says which. */
  | "writes"
  /** A file to another place, `from` and `to`. */
  | "moves"
  /** A whole project, with its dependencies. */
  | "scaffolds"
  /** A command, which ends. */
  | "runs"
  /** The project's server. */
  | "serves"
  /** At the app as it is. */
  | "looks"
  /** The list of work. */
  | "plans"
  /** The person. */
  | "asks"
  /** The turn. */
  | "ends";

/** An argument that is no plain value: a file's whole content, edits of one, or a list of work. */
export type ArgumentKind = "file" | "edits" | "list";

/** What everybody but the tool itself knows of it. */
export interface ToolEntry {
  kind: ToolKind;
  /** The argument that names the subject; the words below receive its value. */
  about?: "path" | "command" | "url";
  /** Arguments that are no plain values. */
  arguments?: Record<string, ArgumentKind>;
  /** What its result counts as in a request; absent: `evidence` of a look, `results` of others. */
  result?: ContextKind;
  /** Its action in one word for failures: "Did not write src/App.tsx". */
  verb?: "write" | "edit" | "read" | "delete";
  /** In progress: "Writing src/App.tsx". No dots at its end. */
  doing(about?: string): string;
  /** While earlier calls are in progress: "Will write src/App.tsx". Absent: described by its name. */
  next?(about?: string): string;
  /** Several successful calls in a row: "Wrote 3 files". Absent: each is listed. */
  many?(count: number): string;
}
