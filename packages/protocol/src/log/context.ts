/** The content of a model's context window, and summaries of the conversation that make it fit. */
import type { Usage } from "./types.ts";

/**
 * `rules`: rules, names of skills, files and the day as sent. `skills`: opened skills. `files`: files read or mentioned.
 * `results`: results of other tools. `evidence`: observations of the app. `mcp`: foreign tools and their results.
 */
export type ContextKind =
  | "prompt"
  | "tools"
  | "mcp"
  | "rules"
  | "skills"
  | "files"
  | "results"
  | "evidence"
  | "conversation"
  | "pictures";

/** The content of one request. */
export interface ContextUse {
  /** Estimated tokens by kind (four characters each); absent kinds were not included. */
  parts: Partial<Record<ContextKind, number>>;
  /** Size of the model's window in tokens, if known. */
  window?: number;
}

/** The contents of a request, or a summary of the conversation. */
export type ContextEvent =
  /**
   * The older part of the conversation was summarized for the model; token counts are estimates. Outside a run the
   * person requested it, and `usage` is its cost; within a run the cost counts in the run. `text`: the summary.
   */
  | {
      type: "compacted";
      run?: string;
      before: number;
      after: number;
      usage?: Usage;
      text?: string;
    }
  /** A completion in an editor, outside of any run, with its cost. */
  | { type: "completion"; usage: Usage };
