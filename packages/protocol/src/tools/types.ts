import type { ContextKind } from "../log/context.ts";

/**
 * What a tool is for. Whatever has to tell tools apart asks for this: a name stands in the vocabulary, in the tool's own
 * files, and where a dialect spells it.
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
  /** The argument that says what it is done to; it is what the words below are given. */
  about?: "path" | "command" | "url";
  /** Arguments that are no plain values. */
  arguments?: Record<string, ArgumentKind>;
  /** What its result counts as in a request; absent: `evidence` of a look, `results` of others. */
  result?: ContextKind;
  /** What it does in one word, where its failure is told by it: "Did not write src/App.tsx". */
  verb?: "write" | "edit" | "read" | "delete";
  /** While it goes on: "Writing src/App.tsx". No dots at its end. */
  doing(about?: string): string;
  /** While those before it go on: "Will write src/App.tsx". Absent: told by its name. */
  next?(about?: string): string;
  /** Several in a row, all well: "Wrote 3 files". Absent: each is told by itself. */
  many?(count: number): string;
}
