import type { Skill } from "../skills/types.ts";

/** What the model is told about project and person beside the conversation: once, and then only what changed. */
export interface Briefing {
  /** Each by its kind; one that is empty says that it no longer holds. */
  sections: Record<string, string>;
  /** The paths that were told with this one and those before it. */
  files: string[];
  /** As the model reads it; kept, so that the history stays the same. */
  text: string;
}

/** A file of rules that comes with a project, or is the person's own. */
export interface Rule {
  /** Where it stands. */
  path: string;
  text: string;
}

/** What the person keeps beside their projects; it holds in all of them. */
export interface Personal {
  rules: Rule[];
  skills: Skill[];
}
