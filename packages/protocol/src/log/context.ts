/** What stands in a model's window, and when a conversation was summed up so that it fits. */
import type { Usage } from "./types.ts";

/**
 * `rules`: rules and skills that are there, files, day, as they were told. `skills`: those that were opened. `files`: what was
 * read or mentioned. `results`: what other tools answered. `evidence`: what was seen of the app. `mcp`: foreign tools and
 * what they answered.
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

/** What one request held. */
export interface ContextUse {
  /** Tokens by kind, estimated (four characters each); what there is nothing of is absent. */
  parts: Partial<Record<ContextKind, number>>;
  /** Tokens of the model's window, where it is known. */
  window?: number;
}

/** What a request held, or how a conversation was summed up. */
export type ContextEvent =
  /**
   * The older part of the conversation was summed up for the model; tokens are estimated. Outside of a run the person
   * asked for it, and `usage` is what it cost; that of a run counts in the run. `text`: what
   * stands in its place.
   */
  | {
      type: "compacted";
      run?: string;
      before: number;
      after: number;
      usage?: Usage;
      text?: string;
    }
  /** A model was asked what the person would type next in an editor, outside of any run; what that cost. */
  | { type: "completion"; usage: Usage };
